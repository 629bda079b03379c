"""HTTP server on sockets: connections, admission, bodies, streams, files."""
