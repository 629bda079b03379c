"""How the pages are served: nobody chooses their own address, and nothing tells what serves them."""

from controller.web.net.server import ENDING, _config


async def app(scope, receive, send):
    """No request comes."""


def test_a_request_does_not_choose_its_own_address():
    config = _config(app)
    assert (config.proxy_headers, config.access_log, config.log_config) == (False, False, None)
    assert (config.server_header, config.date_header) == (False, False)
    assert (config.ws, config.lifespan, config.timeout_graceful_shutdown) == ("none", "off", ENDING)
    config.load()
    assert config.loaded_app is app
