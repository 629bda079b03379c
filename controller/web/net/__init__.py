"""HTTP on sockets: servers, bodies, streams, files."""
