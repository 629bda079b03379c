"""Serial link over real ptys and TCP connections, with the real pyserial and real hang-ups."""

import asyncio
import errno
import gc
import os
import socket
import struct
import tempfile
import termios
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from unittest.mock import Mock

import pytest
import serial

from drivers import serial_link
from drivers.emulators.pty_port import PtyPort
from drivers.events import CardRead, Found, Garbage, Lost
from drivers.own_port import OwnPort
from drivers.serial_link import SerialLink
from drivers.serial_port import SerialSettings, UnusablePort
from drivers.serial_reasons import reason_not_open
from drivers.shoes.angel_eye import AngelEye
from drivers.shoes.angel_eye_cards import DrawReport
from drivers.shoes.angel_eye_commands import Command
from tests.descriptors import open_files
from tests.patience import PATIENCE, until

CARD = DrawReport("1", "player", 1, "8S").encode()
NEXT_CARD = DrawReport("2", "banker", 1, "KH").encode()
LOCK = Command("LK", "02").encode(with_stx=True)
OF_A_TERMINAL = b"\x00\xff\x11\x13\r\n\x03\x04"  # no telegram: bytes that a tty outside raw mode interprets


class EventQueue:
    """Queue of the events that a link delivered, in order."""

    def __init__(self):
        self._news = asyncio.Queue()

    def deliver(self, event):
        self._news.put_nowait(event)

    async def hears(self, kind):
        event = await asyncio.wait_for(self._news.get(), PATIENCE)
        assert isinstance(event, kind), event
        return event

    def heard_nothing(self):
        return self._news.empty()


class CountingPort(OwnPort):
    """Port that counts the finished tries to open it."""

    tries = 0

    def open(self):
        try:
            return super().open()
        finally:
            self.tries += 1


class CountingLink(SerialLink):
    """Serial link that counts its reads and keeps the waits between two tries, in seconds."""

    def __init__(self, *about):
        super().__init__(*about)
        self.looks, self.waits = 0, []

    def _readable(self, line):
        self.looks += 1
        super()._readable(line)

    async def _pause(self, seconds):
        self.waits.append(seconds)
        await super()._pause(seconds)

    async def tries_again(self, times=3):
        before = self._own.tries
        await until(lambda: self._own.tries >= before + times)


@asynccontextmanager
async def link_to(port, settings=None, codec=None):
    table = EventQueue()
    link = CountingLink(CountingPort(str(getattr(port, "link", port)), settings), codec or AngelEye(), table.deliver)
    link.start()
    try:
        yield link, table
    finally:
        await link.stop()


@asynccontextmanager
async def device_server(port=0):
    """Run a TCP device server; yield its address and a queue of accepted connections."""
    connections = asyncio.Queue()
    listening = socket.create_server(("127.0.0.1", port))
    server = await asyncio.start_server(lambda *streams: connections.put_nowait(streams), sock=listening)
    try:
        yield f"socket://127.0.0.1:{listening.getsockname()[1]}", connections
    finally:
        server.close()


@contextmanager
def descriptors_unchanged():
    before = open_files()
    yield
    gc.collect()
    assert open_files() == before


@pytest.fixture
def no_waits(monkeypatch):
    """Let tries follow at once; the link still records how long it would have waited."""

    async def pause(link, _):
        await asyncio.sleep(0)

    monkeypatch.setattr(SerialLink, "_pause", pause)


def test_cards_come_over_a_real_port(port):
    async def run():
        port.plug()
        async with link_to(port) as (link, table):
            assert await table.hears(Found) == Found(str(port.link))
            assert (link.is_present, link.trouble) == (True, None)
            port.write(CARD[:4])
            port.write(CARD[4:] + NEXT_CARD)
            assert (await table.hears(CardRead)).card == "8S"
            assert (await table.hears(CardRead)).card == "KH"

    asyncio.run(run())


def test_a_port_pulled_out_while_idle_is_lost_once(port, no_waits):
    async def run():
        port.plug()
        async with link_to(port) as (link, table):
            await table.hears(Found)
            port.unplug()
            assert "unplugged or switched off" in (await table.hears(Lost)).reason
            assert not link.is_present
            looks = link.looks
            await link.tries_again()
            assert link.looks == looks, "a dead port is not watched"
            assert table.heard_nothing()
            assert link.trouble.startswith("there is no ")

    asyncio.run(run())


def test_an_absent_port_is_tried_with_growing_pauses(port, no_waits):
    async def run():
        async with link_to(port) as (link, _):
            await until(lambda: len(link.waits) >= 7)
            assert link.waits[:7] == [0.1, 0.2, 0.4, 0.8, 1.6, 1.6, 1.6]

    asyncio.run(run())


def test_half_a_telegram_before_a_loss_is_dropped(port):
    async def run():
        port.plug()
        async with link_to(port) as (_, table):
            await table.hears(Found)
            port.write(b"XY" + CARD[:5])
            assert (await table.hears(Garbage)).raw == b"XY"
            port.unplug()
            await table.hears(Lost)
            port.plug()
            await table.hears(Found)
            port.write(CARD[5:] + NEXT_CARD)
            assert (await table.hears(Garbage)).raw == CARD[5:]
            assert (await table.hears(CardRead)).card == "KH"

    asyncio.run(run())


def test_a_device_server_sending_endlessly_is_heard_at_once():
    async def run():
        async def serve(_, line):
            with suppress(ConnectionError):
                while True:
                    line.write(NEXT_CARD + CARD)
                    await line.drain()

        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            port = f"socket://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            async with link_to(port) as (link, table):
                await table.hears(Found)
                assert (await table.hears(CardRead)).card == "KH"  # the first bytes are not lost
                link.cut_off()
                assert not link.is_present

    asyncio.run(run())


def test_a_cut_off_link_delivers_nothing_until_taken_back(port, tmp_path, no_waits):
    async def run():
        port.plug()
        async with link_to(port) as (link, table):
            await table.hears(Found)
            link.cut_off()
            port.write(CARD)
            async with link_to(tmp_path / "absent") as (other, _):
                await other.tries_again()  # by now the cut-off link would have tried too
            assert (link.is_present, table.heard_nothing()) == (False, True)
            link.take_back()
            await table.hears(Found)
            port.write(NEXT_CARD)
            assert (await table.hears(CardRead)).card == "KH"

    asyncio.run(run())


def test_a_link_taken_back_reports_a_known_loss_again(port, no_waits):
    async def run():
        port.plug()
        async with link_to(port) as (link, table):
            await table.hears(Found)
            for _ in range(2):
                port.unplug()
                await table.hears(Lost)
                link.cut_off()
                link.take_back()
                assert (await table.hears(Lost)).reason.startswith("there is no ")
                await link.tries_again()
                assert table.heard_nothing()
                port.plug()
                await table.hears(Found)

    asyncio.run(run())


def test_a_port_refused_before_and_after_is_reported_twice(port, no_waits):
    async def run():
        port.plug()
        with serial.Serial(str(port.link), exclusive=True):
            async with link_to(port) as (link, table):
                for _ in range(2):
                    assert "is in use" in (await table.hears(Lost)).reason
                    link.cut_off()
                    link.take_back()
                assert "is in use" in (await table.hears(Lost)).reason

    asyncio.run(run())


def test_a_missing_port_is_reported_once_and_found_later(port, no_waits):
    async def run():
        async with link_to(port) as (link, table):
            assert await table.hears(Lost) == Lost(link.trouble)
            assert link.trouble == f"there is no {port.link}: see whether the device is plugged in and switched on"
            await link.tries_again()
            assert table.heard_nothing()
            port.plug()
            await table.hears(Found)

    asyncio.run(run())


def test_a_locked_port_is_reported_and_opened_when_free(port, no_waits):
    async def run():
        port.plug()
        with serial.Serial(str(port.link), exclusive=True):
            async with link_to(port) as (link, table):
                assert "is in use: another program has locked it" in (await table.hears(Lost)).reason
                await link.tries_again()
                assert table.heard_nothing()
        async with link_to(port) as (_, table):
            await table.hears(Found)
            with pytest.raises(serial.SerialException) as refused:
                serial.Serial(str(port.link), exclusive=True)
            assert refused.value.errno == errno.EAGAIN

    asyncio.run(run())


@contextmanager
def as_nobody():
    """Drop the rights of root for a time, if the tests run as root."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def test_a_port_without_permission_is_found_once_permitted():
    async def run(port):
        port.plug()
        port.link.resolve().chmod(0o1000)  # with the mark of an emulator
        await asyncio.to_thread(int)  # Python loads what it needs for threads while it may read its own files
        with as_nobody():
            async with link_to(port) as (_, table):
                assert "no permission to open" in (await table.hears(Lost)).reason
        async with link_to(port) as (_, table):
            port.link.resolve().chmod(0o1600)
            event = await table.hears((Found, Lost))  # Lost first, if the tests do not run as root
            assert isinstance(event, Found) or await table.hears(Found)

    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        port = PtyPort(Path(folder) / "shoe")
        asyncio.run(run(port))
        port.unplug()


def test_a_new_reason_for_an_absent_port_is_reported_too(port):
    async def run():
        async with link_to(port) as (_, table):
            assert "there is no" in (await table.hears(Lost)).reason
            port.link.write_text("")
            assert "is no serial port" in (await table.hears(Lost)).reason
            port.link.unlink()
            port.plug()
            await table.hears(Found)

    asyncio.run(run())


@pytest.mark.parametrize("make", [Path.touch, Path.mkdir])
def test_a_file_or_folder_is_reported_as_no_port(tmp_path, make):
    async def run():
        make(tmp_path / "shoe")
        async with link_to(tmp_path / "shoe") as (_, table):
            assert "is no serial port" in (await table.hears(Lost)).reason

    asyncio.run(run())


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EPERM, "DeviceAllow"),
        (errno.EBUSY, "holds it exclusively"),
        (errno.EINVAL, "does not support these settings"),
        (errno.EMFILE, "too many open files"),
    ],
)
def test_each_cause_has_its_words(number, words):
    assert words in reason_not_open("/dev/shoe", OSError(number, "")).text
    assert words in reason_not_open("/dev/shoe", termios.error(number, "")).text


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (ConnectionRefusedError(errno.ECONNREFUSED, ""), "refuses the connection"),
        (TimeoutError("timed out"), "cannot be reached"),
        (OSError(errno.EHOSTUNREACH, ""), "cannot be reached"),
        (socket.gaierror(socket.EAI_NONAME, ""), "names no host"),
        (socket.gaierror(socket.EAI_AGAIN, ""), "cannot be looked up"),
        (socket.gaierror(socket.EAI_FAIL, "no luck"), "no luck"),
    ],
)
def test_each_cause_on_a_network_has_its_words(cause, words):
    wrapped = serial.SerialException("could not open port")
    wrapped.__context__ = cause
    assert words in reason_not_open("socket://moxa:4001", wrapped).text


def test_the_settings_reach_the_port(port):
    async def run():
        port.plug()
        async with link_to(port, SerialSettings(baud=9600, stopbits=2)) as (_, table):
            await table.hears(Found)
            _, _, control, local, speed_in, speed_out, _ = termios.tcgetattr(port._slave)
            assert speed_in == speed_out == termios.B9600
            assert control & termios.CSTOPB
            assert not local & (termios.ECHO | termios.ICANON)

    asyncio.run(run())


@pytest.mark.parametrize(
    "settings", [{"baud": 0}, {"baud": -1}, {"bytesize": 9}, {"parity": "X"}, {"parity": ""}, {"stopbits": 3}]
)
def test_settings_no_port_can_do_are_refused(settings):
    with pytest.raises(UnusablePort, match="expected"):
        SerialSettings(**settings)


@pytest.mark.parametrize(
    "name",
    ["", "rfc2217://moxa:4001", "loop://", "socket://moxa", "socket://:4001", "socket://moxa:x", "socket://m:1/x"],
)
def test_a_port_that_cannot_be_watched_is_refused(name):
    with pytest.raises(UnusablePort, match="socket://host:4001"):
        OwnPort(name)


def test_what_is_sent_reaches_the_device(port):
    async def run():
        messages = asyncio.Queue()
        port.watch(messages.put_nowait)
        port.plug()
        async with link_to(port) as (link, table):
            assert not link.send(b"too early")
            await table.hears(Found)
            assert link.send(LOCK)
            assert await asyncio.wait_for(messages.get(), PATIENCE) == LOCK
        assert not link.send(b"too late")

    asyncio.run(run())


def test_writing_to_a_vanished_port_is_a_loss(port):
    async def run():
        port.plug()
        async with link_to(port) as (link, table):
            await table.hears(Found)
            port.unplug()
            assert not link.send(LOCK)
            assert "input/output error" in (await table.hears(Lost)).reason
            assert not link.send(LOCK)
            port.plug()
            await table.hears(Found)

    asyncio.run(run())


def test_a_port_that_accepts_no_output_blocks_nothing(port, monkeypatch):
    async def run():
        port.plug()
        async with link_to(port) as (link, table):
            await table.hears(Found)
            while link.send(b"x" * 1000):
                pass
            assert not os.get_blocking(link._line.fileno())
            with monkeypatch.context() as patch:
                patch.setattr(serial_link.os, "write", write := Mock(side_effect=os.write))
                count = 0  # the kernel may make room a moment later
                while link.send(b"x"):
                    count += 1
            assert write.call_count == count + 1
            port.write(CARD)
            assert (await table.hears(CardRead)).card == "8S"
            assert link.is_present

    asyncio.run(run())


def test_a_stopped_link_frees_the_port_and_its_descriptors(port):
    async def cycle():
        async with link_to(port) as (link, table):
            await table.hears(Found)
        assert not link.is_present
        assert table.heard_nothing()
        serial.Serial(str(port.link), exclusive=True).close()

    port.plug()
    asyncio.run(cycle())
    with descriptors_unchanged():
        asyncio.run(cycle())


def test_a_link_stopped_while_it_opens_leaves_nothing_open(port):
    async def run():
        async with link_to(port):
            pass

    port.plug()
    asyncio.run(run())
    with descriptors_unchanged():
        asyncio.run(run())


def test_unplugging_many_times_leaks_no_descriptor(port):
    async def run(times):
        port.plug()
        async with link_to(port) as (_, table):
            await table.hears(Found)
            for _ in range(times):
                port.unplug()
                await table.hears(Lost)
                port.plug()
                await table.hears(Found)
        port.unplug()

    asyncio.run(run(1))
    with descriptors_unchanged():
        asyncio.run(run(3))


def test_cards_come_from_a_device_server_and_commands_reach_it():
    async def run():
        async with device_server() as (address, connections), link_to(address) as (link, table):
            assert await table.hears(Found) == Found(address)
            reader, writer = await connections.get()
            writer.write(CARD)
            assert (await table.hears(CardRead)).card == "8S"
            assert link.send(LOCK)
            assert await reader.readexactly(10) == LOCK
            writer.close()

    asyncio.run(run())


def test_a_device_server_that_closes_is_lost_and_found_again():
    async def run():
        async with device_server() as (address, connections), link_to(address) as (_, table):
            await table.hears(Found)
            _, writer = await connections.get()
            writer.write(CARD)
            writer.close()
            assert (await table.hears(CardRead)).card == "8S", "what came before the end is heard"
            assert "closed the connection" in (await table.hears(Lost)).reason
            await table.hears(Found)
            (await connections.get())[1].close()

    asyncio.run(run())


def test_a_connection_reset_is_a_loss_and_leaks_nothing():
    async def run():
        async with device_server() as (address, connections), link_to(address) as (_, table):
            await table.hears(Found)
            _, writer = await connections.get()
            reset = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
            writer.close()
            assert "connection reset" in (await table.hears(Lost)).reason
            await table.hears(Found)
            (await connections.get())[1].close()

    asyncio.run(run())
    with descriptors_unchanged():
        asyncio.run(run())


def test_a_device_server_that_hangs_up_is_retried_slowly(no_waits, monkeypatch):
    async def run():
        server = await asyncio.start_server(lambda _, line: line.close(), "127.0.0.1", 0)
        address = f"socket://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with server, link_to(address) as (link, table):
            await until(lambda: len(link.waits) >= 5)
            assert link.waits[:5] == [0.1, 0.2, 0.4, 0.8, 1.6]
            for kind in (Found, Lost) * 5:
                await table.hears(kind)

    monkeypatch.setattr(serial_link, "LONGEST_WAIT", 3600)  # no connection counts as a long one, even on a slow PC
    asyncio.run(run())


def test_a_refusing_device_server_is_reported_once_and_found_later():
    async def run():
        with socket.create_server(("127.0.0.1", 0)) as free:
            number = free.getsockname()[1]
        async with link_to(f"socket://127.0.0.1:{number}") as (_, table):
            assert "refuses the connection" in (await table.hears(Lost)).reason
            async with device_server(number) as (_, connections):
                await table.hears(Found)
                (await connections.get())[1].close()
                await table.hears(Lost)

    asyncio.run(run())


def test_tcp_keep_alive_starts_within_ten_silent_seconds():
    async def run():
        async with device_server() as (address, connections), link_to(address) as (link, table):
            await table.hears(Found)
            with socket.socket(fileno=os.dup(link._line.fileno())) as twin:
                assert twin.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
                assert twin.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) <= 10
            (await connections.get())[1].close()
            await table.hears(Lost)

    asyncio.run(run())


def test_a_codec_that_never_speaks_needs_only_two_methods(port):
    class Mute:
        def feed(self, data):
            return [Garbage(data, "not mine")]

        def reset(self):
            pass

    async def run():
        port.plug()
        async with link_to(port, codec=Mute()) as (_, table):
            await table.hears(Found)
            port.write(OF_A_TERMINAL)
            assert (await table.hears(Garbage)).raw == OF_A_TERMINAL, "no byte is changed on the way"

    asyncio.run(run())


def test_an_error_in_the_listener_reaches_the_loops_handler(port):
    async def run():
        slips = asyncio.Queue()
        asyncio.get_running_loop().set_exception_handler(lambda _, context: slips.put_nowait(context["exception"]))
        link = SerialLink(OwnPort(str(port.link)), AngelEye(), lambda event: 1 / 0)
        link.start()
        assert isinstance(await asyncio.wait_for(slips.get(), PATIENCE), ZeroDivisionError)
        await link.stop()

    asyncio.run(run())


def test_a_second_program_that_comes_and_goes_does_no_harm(port):
    async def run():
        port.plug()
        async with link_to(port) as (_, table):
            await table.hears(Found)
            serial.Serial(str(port.link)).close()  # the lock is advisory
            port.write(CARD)
            assert (await table.hears(CardRead)).card == "8S"

    asyncio.run(run())


def test_a_killed_emulators_link_opens_no_other_terminal(tmp_path):
    """The kernel gives the dead emulator's pty number to another program; the link must not open that one."""

    async def run():
        left = PtyPort(tmp_path / "shoe")
        left.plug()
        number = left.link.resolve()
        os.close(left._master)
        os.close(left._slave)
        others = [os.openpty() for _ in range(8)]
        try:
            assert number in {Path(os.ttyname(slave)) for _, slave in others}
            async with link_to(left) as (_, table):
                assert f"leads to {number}, a terminal of another program" in (await table.hears(Lost)).reason
                again = PtyPort(left.link)
                again.plug()
                await table.hears(Found)
                with pytest.raises(FileExistsError, match="another emulator serves it: end that one first"):
                    PtyPort(left.link).plug()
                again.unplug()
        finally:
            for pair in others:
                for descriptor in pair:
                    os.close(descriptor)

    asyncio.run(run())
