"""Every table of a desk's database, as an append-only list of steps. Nothing else creates or alters tables."""

import sqlite3

from sqlite_utils import Database, Migrations

migrations = Migrations("pbem")

VERSION = 1
"""What `PRAGMA user_version` says after the last step: the look of a poll need not import this module."""


@migrations()
def m001_desk(db: Database) -> None:
    """The first desk: letters, players, matches, turns, outbox, record."""
    _run(
        db,
        """
        CREATE TABLE desk (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

        -- Letters as they came, kept before anything is made of them.
        CREATE TABLE letters (
            id INTEGER PRIMARY KEY,
            sha256 TEXT NOT NULL UNIQUE,      -- of the bytes: the same letter counts once
            arrived TEXT NOT NULL,
            size INTEGER NOT NULL,            -- bytes on the server; raw may be cut
            raw BLOB,
            state TEXT NOT NULL DEFAULT 'kept' CHECK (state IN ('kept', 'handled', 'held', 'set aside')),
            attempts INTEGER NOT NULL DEFAULT 0,
            sender TEXT,
            message_id TEXT,
            words TEXT,                       -- hash of the writer's own words
            match INTEGER, seat TEXT, turn INTEGER,
            outcome TEXT                      -- what became of it, in a few words
        ) STRICT;
        CREATE INDEX letters_waiting ON letters (id) WHERE state = 'kept';
        CREATE INDEX letters_stuck ON letters (match, turn) WHERE state IN ('held', 'set aside');
        CREATE INDEX letters_again ON letters (sender, message_id);

        CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL, since TEXT NOT NULL) STRICT;
        CREATE TABLE addresses (
            address TEXT PRIMARY KEY,         -- in lower case
            written TEXT NOT NULL,            -- as it was given: where letters go
            player INTEGER NOT NULL REFERENCES players (id)
        ) STRICT;
        CREATE INDEX addresses_of_player ON addresses (player);

        CREATE TABLE matches (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,        -- what people call it: oz-17
            game TEXT NOT NULL,
            options TEXT NOT NULL,            -- JSON, as the game was set up
            rules TEXT NOT NULL,              -- version of the rules
            state TEXT NOT NULL,              -- JSON
            phase TEXT NOT NULL DEFAULT 'running' CHECK (phase IN ('running', 'finished')),
            turn INTEGER NOT NULL DEFAULT 1,
            waiting INTEGER NOT NULL,         -- seats that must still write
            every INTEGER,                    -- seconds for a turn; null: no deadline
            deadline TEXT,
            winner TEXT, reason TEXT,
            since TEXT NOT NULL, ended TEXT
        ) STRICT;
        CREATE INDEX matches_ready ON matches (id) WHERE phase = 'running' AND waiting = 0;
        CREATE INDEX matches_due ON matches (deadline) WHERE phase = 'running' AND deadline IS NOT NULL;

        CREATE TABLE seats (
            match INTEGER NOT NULL REFERENCES matches (id),
            seat TEXT NOT NULL,
            player INTEGER NOT NULL REFERENCES players (id),
            name TEXT NOT NULL,
            epoch INTEGER NOT NULL DEFAULT 1, -- grows with every new holder; in every token
            failing TEXT,                     -- since when letters to it come back
            PRIMARY KEY (match, seat)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX seats_of_player ON seats (player);

        CREATE TABLE orders (
            id INTEGER PRIMARY KEY,
            match INTEGER NOT NULL REFERENCES matches (id),
            turn INTEGER NOT NULL,
            seat TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('standing', 'replaced', 'withdrawn', 'proposed', 'played')),
            number INTEGER,                   -- of the receipt; null while only proposed
            letter INTEGER NOT NULL REFERENCES letters (id),
            written TEXT NOT NULL,            -- the writer's own words
            canonical TEXT NOT NULL
        ) STRICT;
        CREATE INDEX orders_of_turn ON orders (match, turn, seat);
        CREATE UNIQUE INDEX orders_standing ON orders (match, turn, seat) WHERE state = 'standing';

        CREATE TABLE turns (
            match INTEGER NOT NULL REFERENCES matches (id),
            turn INTEGER NOT NULL,
            before TEXT NOT NULL,             -- JSON
            orders TEXT NOT NULL,             -- JSON: seat -> {written, canonical}, or null if missed
            after TEXT NOT NULL,              -- JSON
            events TEXT NOT NULL,             -- JSON
            rules TEXT NOT NULL,
            played TEXT NOT NULL,
            PRIMARY KEY (match, turn)
        ) STRICT;

        -- Letters we send, made in the transaction of what they tell.
        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY,
            message_id TEXT NOT NULL UNIQUE,
            match INTEGER, seat TEXT, player INTEGER,
            kind TEXT NOT NULL,
            recipient TEXT NOT NULL,
            envelope TEXT NOT NULL,           -- sender of the envelope; '' is the null sender
            raw BLOB NOT NULL,
            made TEXT NOT NULL,
            due TEXT NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            sent TEXT,
            refused TEXT                      -- the server's last word: it will not take it
        ) STRICT;
        CREATE INDEX outbox_waiting ON outbox (id, due) WHERE sent IS NULL AND refused IS NULL;
        CREATE INDEX outbox_of_seat ON outbox (match, seat);
        CREATE INDEX outbox_lately ON outbox (recipient, made);

        -- Seats that wrote so much that they get one letter for many, and when.
        CREATE TABLE digests (
            match INTEGER NOT NULL, seat TEXT NOT NULL, due TEXT NOT NULL,
            PRIMARY KEY (match, seat)
        ) STRICT, WITHOUT ROWID;

        -- What happened, append-only: hash = SHA-256 of the row before's hash and this row.
        CREATE TABLE record (
            id INTEGER PRIMARY KEY,
            at TEXT NOT NULL,
            kind TEXT NOT NULL,
            match INTEGER,
            digest TEXT NOT NULL,             -- SHA-256 of nonce and content
            hash TEXT NOT NULL
        ) STRICT;
        CREATE TABLE record_contents (
            record INTEGER PRIMARY KEY REFERENCES record (id),
            nonce BLOB NOT NULL,
            content TEXT NOT NULL             -- JSON; the row may be removed at a person's wish
        ) STRICT;
        CREATE TRIGGER record_is_append_only_1 BEFORE UPDATE ON record
            BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
        CREATE TRIGGER record_is_append_only_2 BEFORE DELETE ON record
            BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
        """,
    )


def _run(db: Database, script: str) -> None:
    """Run statements one by one: `executescript` would commit the migration's transaction first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""
