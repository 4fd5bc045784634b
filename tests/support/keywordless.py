"""An IMAP server that, like some others, keeps only the standard flags: pymap, in a thread of this process."""

import asyncio
import threading
from argparse import Namespace
from contextlib import AsyncExitStack
from typing import Self

from imapclient import IMAPClient
from pymap.backend.dict import DictBackend
from pymap.imap import IMAPService
from pysasl.hashing import BuiltinHash

from support.dovecot import PASSWORD, free_ports


class Keywordless:
    """The server, running during the block, with one user: `gm`."""

    def __enter__(self) -> Self:
        (self.port,) = free_ports(1)
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),))
        self._thread.start()
        assert self._ready.wait(10), "pymap does not start"
        return self

    def __exit__(self, *exception: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()
        self._loop.close()

    def append(self, *letters: bytes) -> None:
        with IMAPClient("127.0.0.1", self.port, ssl=False, timeout=10) as client:
            client.login("gm", PASSWORD)
            for letter in letters:
                client.append("INBOX", letter)

    async def _serve(self) -> None:
        self._end = asyncio.Event()
        words = Namespace(
            debug=False,
            host="127.0.0.1",
            port=self.port,
            cert=None,
            key=None,
            tls=False,
            proxy_protocol=None,
            inherited_sockets=None,
            demo_data=False,
            demo_user="gm",
            demo_password=PASSWORD,
            passlib_cfg=None,
        )
        backend, config = await DictBackend.init(
            words, secure_auth=False, reject_dnsbl=False, hash_context=BuiltinHash(rounds=1)
        )
        config.apply_context()
        async with AsyncExitStack() as stack:
            await backend.start(stack)
            await IMAPService(backend, config).start(stack)
            self._ready.set()
            await self._end.wait()
