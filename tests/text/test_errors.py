"""Messages of other libraries, shortened to a line of ours."""

from controller.text.errors import LINE, shorten_to_line


def test_a_long_message_loses_its_middle_alone():
    for length in (LINE, LINE + 1, 10 * LINE):
        text = "".join(chr(97 + place % 26) for place in range(length))
        line = shorten_to_line(text)
        begin, _, end = line.partition("…")
        assert (text.startswith(begin), text.endswith(end), len(line)) == (True, True, LINE)
