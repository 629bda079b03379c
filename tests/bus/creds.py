"""Bus server with JWT accounts, as a hosted NATS service has them: each client has a .creds file.

The fields of a token are those that `nsc` writes. A client has the same permissions as with an nkey alone.
"""

import base64
import hashlib
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path

import nkeys

from controller.bus.keys import public_of
from controller.bus.permissions import EVERYTHING, Permissions, services
from controller.bus.studio import CLIENTS, KINDS
from tests.bus.rig import WHO, BusServer

NO_LIMIT = {"subs": -1, "data": -1, "payload": -1}
OF_AN_ACCOUNT = {"imports": -1, "exports": -1, "wildcards": True, "conn": -1, "leaf": -1}
KEPT = {"mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1}


class ByJwt(BusServer):
    """Server with JWT accounts, for clients with .creds files."""

    def __init__(self, folder: Path, who: Mapping[str, tuple[str, ...]] = WHO) -> None:
        super().__init__(folder, who)
        operator, store, clients, system = (
            _seed(prefix) for prefix in (nkeys.PREFIX_BYTE_OPERATOR, *3 * [nkeys.PREFIX_BYTE_ACCOUNT])
        )
        limits, done = {**NO_LIMIT, **OF_AN_ACCOUNT}, services("main")
        exports = [{**_service(one), **({"response_type": "Stream"} if many else {})} for one, many in done.items()]
        imports = [{**_service(one), "account": public_of(store)} for one in done]
        tokens = {
            public_of(store): _token(operator, store, "STUDIO", "account", limits={**limits, **KEPT}, exports=exports),
            public_of(clients): _token(operator, clients, "CLIENTS", "account", limits=limits, imports=imports),
            public_of(system): _token(operator, system, "SYS", "account", limits=limits),
        }
        preload = "".join(f"  {key}: {token}\n" for key, token in tokens.items())
        self.studio.conf.write_text(
            f"operator: {_token(operator, operator, 'studio', 'operator')}\nresolver: MEMORY\n"
            f"resolver_preload: {{\n{preload}}}\nsystem_account: {public_of(system)}\n"
        )
        self._write("admin", "", store, EVERYTHING)
        for kind, may in KINDS.items():
            for name in who.get(kind, ()):
                self._write(kind, name, clients if kind in CLIENTS else store, may("main", name))

    def seed(self, kind: str, name: str = "") -> Path:
        return super().seed(kind, name).with_suffix(".creds")

    def _write(self, kind: str, name: str, account: str, may: Permissions) -> None:
        """Write the .creds file of a client: its JWT with these permissions, and its seed."""
        seed, rights = super().seed(kind, name).read_text().strip(), {"pub": may["publish"], "sub": may["subscribe"]}
        token = _token(account, seed, name or kind, "user", **NO_LIMIT, **rights)
        self.seed(kind, name).write_text(
            f"-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n"
            f"-----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
        )


def _service(subject: str) -> dict[str, str]:
    """Return the export or import entry of a request subject, as an account's JWT has it."""
    return {"name": subject, "subject": subject, "type": "service"}


def _seed(prefix: int) -> str:
    """Return a new random nkey seed of the kind that `prefix` names."""
    return bytes(nkeys.encode_seed(os.urandom(32), prefix)).decode()


def _token(issuer: str, subject: str, name: str, kind: str, **says: object) -> str:
    """Return a JWT about `subject`, signed by `issuer`. `says`: its claims for NATS."""
    claims = {"iat": int(time.time()), "iss": public_of(issuer), "name": name, "sub": public_of(subject)}
    claims["nats"] = {**says, "type": kind, "version": 2}
    claims["jti"] = base64.b32encode(hashlib.sha256(json.dumps(claims).encode()).digest()).decode().rstrip("=")
    text = f"{_part(json.dumps({'typ': 'JWT', 'alg': 'ed25519-nkey'}).encode())}.{_part(json.dumps(claims).encode())}"
    return f"{text}.{_part(nkeys.from_seed(bytearray(issuer.encode())).sign(text.encode()))}"


def _part(content: bytes) -> str:
    """Encode a part of a JWT as base64url without padding."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")
