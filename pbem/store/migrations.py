"""Every table of a desk's database, as an append-only list of steps. Nothing else creates or alters tables."""

import re
import sqlite3
from collections.abc import Container

from sqlite_utils import Database, Migrations

from pbem.store.audit_log import UNSALTED, append, covered, find_head, unsalted_hash, vouch

migrations = Migrations("pbem")


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


@migrations()
def m002_leagues(db: Database) -> None:
    """Leagues and game masters: the whole life of a match, and all that people can say for themselves."""
    _run(
        db,
        """
        ALTER TABLE players ADD COLUMN zone TEXT NOT NULL DEFAULT '';       -- '': the desk's
        ALTER TABLE players ADD COLUMN language TEXT NOT NULL DEFAULT '';   -- of his letters; '': he has not said
        ALTER TABLE players ADD COLUMN confirmed TEXT;                      -- since when we know that he is there
        ALTER TABLE players ADD COLUMN refuses TEXT;                        -- since when he wants no invitations
        ALTER TABLE players ADD COLUMN banned TEXT;
        ALTER TABLE addresses ADD COLUMN confirmed TEXT;                    -- null: waits for a yes from there
        UPDATE players SET confirmed = since;
        UPDATE addresses SET confirmed = (SELECT since FROM players WHERE players.id = player);

        CREATE TABLE absences (
            id INTEGER PRIMARY KEY,
            player INTEGER NOT NULL REFERENCES players (id),
            first TEXT NOT NULL, last TEXT NOT NULL,                        -- days, both included
            zone TEXT NOT NULL,
            spent INTEGER NOT NULL DEFAULT 0 -- ended early, when a deadline had waited: the days are used, no more
        ) STRICT;
        CREATE INDEX absences_of_player ON absences (player, last);

        CREATE TABLE leagues (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            settings TEXT NOT NULL,           -- JSON: the league file, without its players
            season INTEGER NOT NULL DEFAULT 0, -- 0: none has begun
            begun TEXT,                       -- when the season did
            since TEXT NOT NULL
        ) STRICT;
        CREATE TABLE entrants (
            league INTEGER REFERENCES leagues (id),                         -- null: waits for the next game
            season INTEGER NOT NULL DEFAULT 0,
            division INTEGER NOT NULL DEFAULT 0, -- 0: none, on standby
            player INTEGER NOT NULL REFERENCES players (id),
            name TEXT NOT NULL,               -- as in the players' file
            seed INTEGER NOT NULL,            -- the place at the start of the season
            state TEXT NOT NULL CHECK (state IN ('playing', 'standby', 'leaving', 'withdrawn')),
            since TEXT NOT NULL,
            UNIQUE (league, season, player)
        ) STRICT;
        CREATE UNIQUE INDEX entrants_waiting ON entrants (player) WHERE league IS NULL;
        CREATE INDEX entrants_leaving ON entrants (league) WHERE state = 'leaving';
        CREATE INDEX entrants_of_player ON entrants (player);
        CREATE TABLE rounds (
            league INTEGER NOT NULL REFERENCES leagues (id),
            season INTEGER NOT NULL,
            division INTEGER NOT NULL,
            round INTEGER NOT NULL,
            byes TEXT NOT NULL,               -- JSON: players
            notes TEXT NOT NULL,              -- JSON: what had to give way
            begun TEXT, ended TEXT,
            PRIMARY KEY (league, season, division, round)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE pairings (
            id INTEGER PRIMARY KEY,
            league INTEGER NOT NULL, season INTEGER NOT NULL, division INTEGER NOT NULL, round INTEGER NOT NULL,
            red INTEGER NOT NULL REFERENCES players (id), -- for whose place in the league the seat counts
            blue INTEGER NOT NULL REFERENCES players (id),
            match INTEGER UNIQUE REFERENCES matches (id), -- null: has not begun
            FOREIGN KEY (league, season, division, round) REFERENCES rounds
        ) STRICT;
        CREATE INDEX pairings_of_round ON pairings (league, season, division, round);
        CREATE TABLE ratings (                -- after each rated game; a player's last row is his rating
            id INTEGER PRIMARY KEY,
            match INTEGER NOT NULL REFERENCES matches (id),
            player INTEGER NOT NULL REFERENCES players (id),
            mu REAL NOT NULL, sigma REAL NOT NULL
        ) STRICT;
        CREATE INDEX ratings_of_match ON ratings (match);
        CREATE INDEX ratings_of_player ON ratings (player, id);

        CREATE TABLE new_matches (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,        -- what people call it: oz-17
            game TEXT NOT NULL,
            options TEXT NOT NULL,            -- JSON, as the game was set up
            rules TEXT NOT NULL,              -- version of the rules
            state TEXT NOT NULL,              -- JSON
            phase TEXT NOT NULL DEFAULT 'running'
                CHECK (phase IN ('offered', 'running', 'paused', 'review', 'finished', 'annulled')),
            turn INTEGER NOT NULL DEFAULT 1,
            waiting INTEGER NOT NULL,         -- 0: the turn can be played now
            terms TEXT NOT NULL DEFAULT '{}', -- JSON: how long turns take, what follows a missed one
            deadline TEXT,                    -- as people agreed on it: 2026-11-29T20:00 Europe/Berlin
            began TEXT,                       -- when its deadline was set: reminders keep clear of that
            due TEXT,                         -- the next moment that the clock means something, in UTC
            extended INTEGER NOT NULL DEFAULT 0, -- how often this turn was
            league INTEGER REFERENCES leagues (id),
            season INTEGER, division INTEGER, round INTEGER,
            settled INTEGER NOT NULL DEFAULT 1, -- 0: its league has still to see how it ended, or that it goes on
            winner TEXT, reason TEXT, forfeit INTEGER NOT NULL DEFAULT 0,
            since TEXT NOT NULL, ended TEXT
        ) STRICT;
        INSERT INTO new_matches
            SELECT id, name, game, options, rules, state, phase, turn, waiting,
                   CASE WHEN every IS NULL THEN '{}' ELSE json_object('deadline', (every / 60) || ' minutes') END,
                   CASE WHEN phase = 'running' THEN substr(deadline, 1, 16) || ' UTC' END, since,
                   CASE WHEN phase = 'running' THEN deadline END, 0, NULL, NULL, NULL, NULL, 1,
                   winner, reason, 0, since, ended
            FROM matches;
        DROP TABLE matches;
        ALTER TABLE new_matches RENAME TO matches;
        CREATE INDEX matches_ready ON matches (id) WHERE phase = 'running' AND waiting = 0;
        CREATE INDEX matches_due ON matches (due) WHERE due IS NOT NULL;
        CREATE INDEX matches_of_league ON matches (league, season, division, round) WHERE league IS NOT NULL;
        CREATE INDEX matches_not_over ON matches (id) WHERE phase IN ('offered', 'running', 'paused', 'review');
        CREATE INDEX matches_unsettled ON matches (league) WHERE settled = 0;

        ALTER TABLE seats ADD COLUMN oldest INTEGER NOT NULL DEFAULT 1;     -- the holder's first epoch
        ALTER TABLE seats ADD COLUMN accepted TEXT;
        ALTER TABLE seats ADD COLUMN muted TEXT;
        ALTER TABLE seats ADD COLUMN resigning INTEGER;                     -- the letter that says so
        ALTER TABLE seats ADD COLUMN missed INTEGER NOT NULL DEFAULT 0;     -- turns in a row
        ALTER TABLE seats ADD COLUMN score INTEGER;                         -- what it held when the game ended
        UPDATE seats SET accepted = (SELECT since FROM matches WHERE matches.id = match);

        CREATE TABLE wishes (
            match INTEGER NOT NULL REFERENCES matches (id),
            seat TEXT NOT NULL,
            wish TEXT NOT NULL,
            PRIMARY KEY (match, wish, seat)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE offers (                 -- a seat that its holder hands over, until it is accepted
            match INTEGER NOT NULL REFERENCES matches (id),
            seat TEXT NOT NULL,
            player INTEGER NOT NULL REFERENCES players (id),
            made TEXT NOT NULL,
            PRIMARY KEY (match, seat)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE invitations (            -- who has invited whom, and when: there is a limit
            player INTEGER NOT NULL REFERENCES players (id),
            made TEXT NOT NULL
        ) STRICT;
        CREATE INDEX invitations_lately ON invitations (player, made);
        CREATE TABLE observers (
            match INTEGER NOT NULL REFERENCES matches (id),
            player INTEGER NOT NULL REFERENCES players (id),
            PRIMARY KEY (match, player)
        ) STRICT, WITHOUT ROWID;

        -- Whether a seat's orders had come when a turn was played: once written, never changed.
        CREATE TABLE attendance (
            id INTEGER PRIMARY KEY,
            match INTEGER NOT NULL REFERENCES matches (id),
            turn INTEGER NOT NULL,
            seat TEXT NOT NULL,
            player INTEGER NOT NULL,
            missed INTEGER NOT NULL CHECK (missed IN (0, 1)),
            at TEXT NOT NULL,
            UNIQUE (match, turn, seat, player) -- also where the turn is undone and played again
        ) STRICT;
        CREATE INDEX attendance_of_player ON attendance (player, missed);
        CREATE TRIGGER attendance_stays_1 BEFORE UPDATE ON attendance
            BEGIN SELECT RAISE(ABORT, 'attendance is append-only'); END;
        CREATE TRIGGER attendance_stays_2 BEFORE DELETE ON attendance
            BEGIN SELECT RAISE(ABORT, 'attendance is append-only'); END;

        ALTER TABLE outbox ADD COLUMN calendar TEXT;                        -- the deadline in it; '': struck out
        ALTER TABLE letters ADD COLUMN vouched INTEGER;                     -- the player who said yes to it
        CREATE INDEX letters_held_from ON letters (sender) WHERE state = 'held';
        """,
    )
    entered = "letter INTEGER REFERENCES letters (id), -- null: entered by the game master"
    _remake(
        db,
        "orders",
        ("'played')", "'played', 'undone')"),
        ("letter INTEGER NOT NULL REFERENCES letters (id),", entered),
    )
    _remake(
        db,
        "turns",
        ("match INTEGER", "id INTEGER PRIMARY KEY, match INTEGER"),
        ("PRIMARY KEY (match, turn)", "undone TEXT -- since when it counts no longer"),
    )
    db.execute("CREATE UNIQUE INDEX turns_that_count ON turns (match, turn) WHERE undone IS NULL")


@migrations()
def m003_archive(db: Database) -> None:
    """What an archive needs: the record of one match is found at once; orders are sealed; all rows are vouched for."""
    _run(
        db,
        """
        CREATE INDEX record_of_match ON record (match, kind) WHERE match IS NOT NULL;
        CREATE INDEX turns_of_match ON turns (match, turn);
        ALTER TABLE orders ADD COLUMN nonce TEXT NOT NULL DEFAULT '';       -- what hides them in their seal
        ALTER TABLE turns ADD COLUMN unseen INTEGER NOT NULL DEFAULT 0;     -- undone before anybody saw its report
        CREATE TABLE notices (                -- seats whose orders the others are to be told of, by the end of the run
            match INTEGER NOT NULL,
            seat TEXT NOT NULL,
            turn INTEGER NOT NULL,
            was INTEGER,                      -- the receipt of the orders that they know of
            PRIMARY KEY (match, seat)
        ) STRICT, WITHOUT ROWID;
        UPDATE letters SET attempts = 0 WHERE state <> 'kept';
        UPDATE outbox SET attempts = 0, due = made WHERE sent IS NOT NULL OR refused IS NOT NULL;
        """,
    )
    _take_stock(db.conn)


def _take_stock(conn: sqlite3.Connection) -> None:
    """Vouch in the record for all rows as they are now: what was noted of them before did not cover them."""
    at, head = (conn.execute("SELECT max(at) FROM record").fetchone()[0] or ""), find_head(conn)
    for table, columns in UNSALTED.items():
        rows = conn.execute(f"SELECT {columns} FROM {table} ORDER BY id")  # noqa: S608 - names of ours
        while batch := rows.fetchmany(1_000):
            hashes = {row[0]: unsalted_hash(row) for row in batch}
            head = append(conn, head, (at, "upgrade", None), {"rows": {table: hashes}})
    sent = conn.execute("SELECT id, sent FROM outbox WHERE sent IS NOT NULL ORDER BY id")
    while batch := sent.fetchmany(1_000):
        head = append(conn, head, (at, "upgrade", None), {"sent": dict(batch)})
    gone = conn.execute("SELECT id FROM record WHERE id NOT IN (SELECT record FROM record_contents)").fetchall()
    if head.number:
        head = append(conn, head, (at, "upgrade", None), {"contents": [number for (number,) in gone]})
        conn.execute("INSERT INTO desk VALUES ('head', ?)", (str(head),))


@migrations()
def m004_keeping(db: Database) -> None:
    """What orders are found by, and views that read well: whoever alters a table that they name makes them anew."""
    _run(
        db,
        """
        CREATE VIRTUAL TABLE order_search USING fts5 (orders, turn UNINDEXED, seat UNINDEXED);
        CREATE TRIGGER turns_are_found AFTER INSERT ON turns BEGIN
            INSERT INTO order_search (orders, turn, seat)
                SELECT value ->> '$.canonical', new.id, key FROM json_each(new.orders) WHERE type = 'object';
        END;
        INSERT INTO order_search (orders, turn, seat)
            SELECT value ->> '$.canonical', turns.id, key FROM turns, json_each(orders) WHERE type = 'object';

        -- Nothing in these is secret: no addresses, no words of letters, no orders that are not revealed yet.
        CREATE VIEW games AS
            SELECT m.id, m.name, m.game, m.phase, m.turn,
                   (SELECT group_concat(s.seat || ' ' || s.name, ', ') FROM seats s WHERE s.match = m.id) AS players,
                   m.winner, l.name AS league, m.season, m.division, m.round, m.since, m.ended
            FROM matches m LEFT JOIN leagues l ON l.id = m.league;
        CREATE VIEW people AS
            SELECT p.id, p.name, p.since, p.zone, p.language,
                   count(m.id) AS games, coalesce(sum(m.phase = 'finished'), 0) AS finished,
                   coalesce(sum(m.phase = 'finished' AND m.winner = s.seat), 0) AS won,
                   (SELECT r.mu FROM ratings r WHERE r.player = p.id ORDER BY r.id DESC LIMIT 1) AS rating,
                   (SELECT r.sigma FROM ratings r WHERE r.player = p.id ORDER BY r.id DESC LIMIT 1) AS uncertainty
            FROM players p LEFT JOIN seats s ON s.player = p.id
                 LEFT JOIN matches m ON m.id = s.match AND m.phase <> 'offered'
            GROUP BY p.id;
        CREATE VIEW turns_played AS
            SELECT t.id, m.name AS game, t.turn, o.key AS seat, o.value ->> '$.canonical' AS orders, t.played, t.undone
            FROM turns t JOIN matches m ON m.id = t.match JOIN json_each(t.orders) o
            WHERE NOT t.unseen AND NOT (m.phase = 'review' AND t.turn = m.turn - 1 AND t.undone IS NULL);
        CREATE VIEW results AS
            SELECT l.name AS league, p.season, p.division, p.round, red.name AS red, blue.name AS blue,
                   m.name AS game, m.phase, m.winner
            FROM pairings p JOIN leagues l ON l.id = p.league
                 JOIN players red ON red.id = p.red JOIN players blue ON blue.id = p.blue
                 LEFT JOIN matches m ON m.id = p.match;
        CREATE VIEW letters_received AS
            SELECT l.id, l.arrived, m.name AS game, l.seat, l.turn, l.state, l.outcome, l.size
            FROM letters l LEFT JOIN matches m ON m.id = l.match;
        CREATE VIEW letters_sent AS
            SELECT o.id, o.made, o.sent, o.kind, m.name AS game, o.seat, o.attempts, o.refused IS NOT NULL AS refused,
                   length(o.raw) AS size
            FROM outbox o LEFT JOIN matches m ON m.id = o.match;
        """,
    )


@migrations()
def m005_secrets(db: Database) -> None:
    """Games with chance, with what only some may see, with standing orders, and with more than two sides."""
    _run(
        db,
        """
        ALTER TABLE matches ADD COLUMN secret TEXT NOT NULL DEFAULT '';     -- of this turn's dice, hexadecimal
        ALTER TABLE matches ADD COLUMN deck TEXT NOT NULL DEFAULT '';       -- of its shuffles, open when it is over
        ALTER TABLE matches ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;   -- 1: what not everybody may see is in it
        ALTER TABLE matches ADD COLUMN ranking TEXT;                        -- JSON: seats, best first
        ALTER TABLE turns ADD COLUMN secret TEXT NOT NULL DEFAULT '';       -- of its dice
        ALTER TABLE seats ADD COLUMN gone INTEGER;                          -- the turn from which it plays on no longer
        CREATE TABLE standing_orders (        -- what a seat's orders are joined by until it says otherwise
            match INTEGER NOT NULL REFERENCES matches (id),
            seat TEXT NOT NULL,
            canonical TEXT NOT NULL,
            PRIMARY KEY (match, seat)
        ) STRICT, WITHOUT ROWID;
        DROP VIEW turns_played;
        CREATE VIEW turns_played AS
            SELECT t.id, m.name AS game, t.turn, o.key AS seat, o.value ->> '$.canonical' AS orders, t.played, t.undone
            FROM turns t JOIN matches m ON m.id = t.match JOIN json_each(t.orders) o
            WHERE NOT t.unseen AND NOT m.hidden
                  AND NOT (m.phase = 'review' AND t.turn = m.turn - 1 AND t.undone IS NULL);
        """,
    )


@migrations()
def m006_seats(db: Database) -> None:
    """Games of a league are between who has the first and who the second seat, whatever the game calls them."""
    _run(
        db,
        """
        DROP VIEW results;
        ALTER TABLE pairings RENAME COLUMN red TO first;
        ALTER TABLE pairings RENAME COLUMN blue TO second;
        CREATE VIEW results AS
            SELECT l.name AS league, p.season, p.division, p.round, a.name AS first, b.name AS second,
                   m.name AS game, m.phase, m.winner
            FROM pairings p JOIN leagues l ON l.id = p.league
                 JOIN players a ON a.id = p.first JOIN players b ON b.id = p.second
                 LEFT JOIN matches m ON m.id = p.match;
        """,
    )


@migrations()
def m007_queues(db: Database) -> None:
    """Who waits for the next match waits for one of a game; so far there was but one game."""
    _run(
        db,
        """
        ALTER TABLE entrants ADD COLUMN game TEXT; -- null: takes part in a league
        UPDATE entrants SET game = 'ozymandia' WHERE league IS NULL;
        DROP INDEX entrants_waiting;
        CREATE UNIQUE INDEX entrants_waiting ON entrants (game, player) WHERE league IS NULL;
        """,
    )


@migrations()
def m008_wishes(db: Database) -> None:
    """Columns in the order of the key: of a table without rowids in another one, the quick check of SQLite 3.40 says
    that there is nothing where there is something."""
    _remake(
        db, "wishes", ("seat TEXT NOT NULL,", ""), ("wish TEXT NOT NULL,", "wish TEXT NOT NULL, seat TEXT NOT NULL,")
    )


@migrations()
def m009_claims(db: Database) -> None:
    """Addresses that somebody says are theirs are nobody's before both sides have said yes."""
    _run(
        db,
        """
        CREATE TABLE claims (
            player INTEGER NOT NULL REFERENCES players (id),
            address TEXT NOT NULL,            -- in lower case
            written TEXT NOT NULL,            -- as it was given
            made TEXT NOT NULL,
            letter INTEGER NOT NULL,          -- whose answer asks an older address; 0: nobody is asked
            agreed TEXT,                      -- since when that has said yes
            answered INTEGER,                 -- the letter in which it has said yes itself
            instead TEXT NOT NULL,            -- the address whose place it takes; '': none
            taken TEXT,                       -- since when it is theirs
            PRIMARY KEY (player, address)
        ) STRICT, WITHOUT ROWID;
        DELETE FROM addresses WHERE confirmed IS NULL
            AND player IN (SELECT id FROM players WHERE confirmed IS NOT NULL);
        """,
    )


@migrations()
def m010_strangers(db: Database) -> None:
    """How many letters have lately gone to people whom we do not know."""
    _run(db, "CREATE INDEX outbox_to_strangers ON outbox (made) WHERE kind IN ('stranger', 'newcomer');")


@migrations()
def m011_ranks(db: Database) -> None:
    """Letters that wait until others are read, and turns are played."""
    _run(
        db,
        """
        ALTER TABLE letters ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;     -- while it is kept: how soon it is read
        DROP INDEX letters_waiting;
        CREATE INDEX letters_waiting ON letters (attempts > 0, rank, id) WHERE state = 'kept';
        """,
    )


@migrations()
def m012_tokens_of_players(db: Database) -> None:
    """A player's own tokens can be renewed, as those of seats."""
    _run(db, "ALTER TABLE players ADD COLUMN epoch INTEGER NOT NULL DEFAULT 1;")


@migrations()
def m013_removals(db: Database) -> None:
    """Letters of those who are forgotten, and old ones of strangers, go from the mailbox, too: so far they stayed."""
    _run(
        db,
        """
        CREATE TABLE removals (               -- letters that are gone here and still to be removed from the mailbox
            letter INTEGER PRIMARY KEY REFERENCES letters (id),
            due TEXT NOT NULL                 -- when that is tried next; empty: at once
        ) STRICT;
        INSERT INTO removals SELECT id, '' FROM letters WHERE raw IS NULL AND sender IS NULL;
        """,
    )


@migrations()
def m014_questions(db: Database) -> None:
    """Commands that wait for a yes, and lists of what is open: so far there was only `resign`."""
    _run(
        db,
        """
        CREATE TABLE questions (              -- commands that are done when a yes answers our answer to their letter
            letter INTEGER NOT NULL REFERENCES letters (id),
            word TEXT NOT NULL,               -- the command's
            argument TEXT,                    -- what stands behind it; NULL if nothing can
            player INTEGER NOT NULL REFERENCES players (id),
            match INTEGER REFERENCES matches (id),
            seat TEXT,
            turn INTEGER,                     -- the question lapses when this is played
            made TEXT NOT NULL,
            PRIMARY KEY (letter, word)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX questions_of_match ON questions (match, turn);
        INSERT INTO questions SELECT resigning, 'resign', NULL, player, match, seat, m.turn, m.since
            FROM seats JOIN matches m ON m.id = match WHERE resigning IS NOT NULL;
        ALTER TABLE seats DROP COLUMN resigning;
        CREATE TABLE lists (                  -- what an answer listed as open, for `yes 2`
            letter INTEGER PRIMARY KEY REFERENCES letters (id),
            player INTEGER NOT NULL REFERENCES players (id),
            keys TEXT NOT NULL,               -- JSON: what each number means
            made TEXT NOT NULL
        ) STRICT;
        CREATE INDEX lists_of_player ON lists (player);
        ALTER TABLE offers ADD COLUMN letter INTEGER NOT NULL DEFAULT 0;    -- that offers it
        """,
    )


@migrations()
def m015_second_thoughts(db: Database) -> None:
    """Turns wait for a while after the last orders, and of each seat's the others hear once: so far turns were played
    at once, and each change was told."""
    _run(
        db,
        """
        ALTER TABLE matches ADD COLUMN cooling TEXT;     -- until when a turn with all orders waits; null: it does not
        CREATE INDEX matches_cooling ON matches (cooling) WHERE cooling IS NOT NULL;
        ALTER TABLE notices DROP COLUMN was;
        """,
    )


@migrations()
def m016_later(db: Database) -> None:
    """Orders for later turns."""
    _run(db, "ALTER TABLE seats ADD COLUMN later TEXT;")  # JSON: what is kept for later turns, [turn, letter, ...] each


@migrations()
def m017_tables(db: Database) -> None:
    """Games of a league may be for more than two."""
    _run(
        db,
        """
        ALTER TABLE pairings ADD COLUMN third INTEGER REFERENCES players (id); -- null: a game of two
        ALTER TABLE pairings ADD COLUMN fourth INTEGER REFERENCES players (id);
        ALTER TABLE pairings ADD COLUMN seats TEXT;  -- JSON: which of the league's seats, from 0; null: the first ones
        DROP VIEW results;
        CREATE VIEW results AS
            SELECT l.name AS league, p.season, p.division, p.round, a.name AS first, b.name AS second,
                   m.name AS game, m.phase, m.winner, c.name AS third, d.name AS fourth, m.ranking
            FROM pairings p JOIN leagues l ON l.id = p.league
                 JOIN players a ON a.id = p.first JOIN players b ON b.id = p.second
                 LEFT JOIN players c ON c.id = p.third LEFT JOIN players d ON d.id = p.fourth
                 LEFT JOIN matches m ON m.id = p.match;
        """,
    )


@migrations()
def m018_fewer_letters(db: Database) -> None:
    """How people like their letters, and letters that wait to be gathered in one."""
    _run(
        db,
        """
        ALTER TABLE players ADD COLUMN mail TEXT NOT NULL DEFAULT '';  -- such as 'fewer digest=18:00 text'
        CREATE TABLE gathered (               -- letters out that are to come in one with others of their reader's day
            letter INTEGER PRIMARY KEY REFERENCES outbox (id),
            body TEXT NOT NULL,               -- JSON: what it says, with nothing around it; '' when it was sent
            within INTEGER                    -- the letter in which it was; null: not yet; 0: none, it was overtaken
        ) STRICT;
        CREATE INDEX gathered_within ON gathered (within) WHERE within IS NOT NULL;
        """,
    )


@migrations()
def m019_letters_of_strangers(db: Database) -> None:
    """Letters that are about no game, whose old ones the first run of a day looks for."""
    _run(
        db,
        """
        CREATE INDEX letters_of_strangers ON letters (arrived)
            WHERE match IS NULL AND vouched IS NULL AND raw IS NOT NULL;
        """,
    )


@migrations()
def m020_chance(db: Database) -> None:
    """What seats bring to the chance of their match."""
    _run(
        db,
        """
        ALTER TABLE seats ADD COLUMN words TEXT NOT NULL DEFAULT '';  -- SHA-256 of what was brought last; '' nothing
        """,
    )


@migrations()
def m021_room(db: Database) -> None:
    """Letters of strangers that wait until there is room for an answer: they have a rank."""
    _run(
        db,
        """
        CREATE INDEX letters_for_room ON letters (rank, id) WHERE state = 'handled' AND rank > 0 AND raw IS NOT NULL;
        """,
    )


@migrations()
def m022_all_rows(db: Database) -> None:
    """The record vouches for all tables; so far for letters in and out, orders and turns. Each row has a number or a
    key that says nothing of a person."""
    _run(
        db,
        """
        CREATE TABLE salts (                  -- what keeps a row's values from being guessed from its hash
            tbl_name TEXT NOT NULL,
            key ANY NOT NULL,                 -- the row's number, or its primary key as a JSON list
            salt BLOB NOT NULL,
            PRIMARY KEY (tbl_name, key)
        ) STRICT, WITHOUT ROWID;
        """,
    )
    numbered = "id INTEGER PRIMARY KEY, "
    _remake(db, "addresses", ("address TEXT PRIMARY KEY", f"{numbered}address TEXT NOT NULL UNIQUE"))
    keyed = ("PRIMARY KEY (player, address)", "UNIQUE (player, address)"), ("STRICT, WITHOUT ROWID", "STRICT")
    _remake(db, "claims", ("player INTEGER", f"{numbered}player INTEGER"), *keyed)
    _remake(db, "entrants", ("league INTEGER", f"{numbered}league INTEGER"))
    _remake(db, "invitations", ("player INTEGER", f"{numbered}player INTEGER"))
    _vouch_for_all_but(db.conn, UNSALTED)


@migrations()
def m023_former(db: Database) -> None:
    """What a match was before its end was decided, or taken back."""
    _run(db, "ALTER TABLE matches ADD COLUMN former TEXT;")


@migrations()
def m024_decisions(db: Database) -> None:
    """What was decided is looked up."""
    _run(db, "CREATE INDEX record_of_decisions ON record (id) WHERE kind = 'decision';")


@migrations()
def m025_requests(db: Database) -> None:
    """What is asked of the pairing of rounds of a league."""
    _run(
        db,
        """
        CREATE TABLE requests (
            id INTEGER PRIMARY KEY,
            league INTEGER NOT NULL REFERENCES leagues (id),
            season INTEGER NOT NULL,          -- 0: all, that two never meet
            round INTEGER NOT NULL,           -- 0: all
            player INTEGER NOT NULL REFERENCES players (id),
            other INTEGER REFERENCES players (id), -- whom they meet in that round; null: nobody
            points REAL NOT NULL              -- for having no game
        ) STRICT;
        CREATE INDEX requests_of_league ON requests (league, season);
        """,
    )


@migrations()
def m026_points(db: Database) -> None:
    """Points that a game master has given by hand."""
    _run(db, "ALTER TABLE entrants ADD COLUMN given REAL NOT NULL DEFAULT 0;")


def _vouch_for_all_but(conn: sqlite3.Connection, vouched: Container[str]) -> None:
    """Vouch in the record for the rows of all tables but those of which it has hashes already."""
    tables, head = covered(conn), (was := find_head(conn))
    for name, table in tables.items():
        if name in vouched:
            continue
        rows = conn.execute(f"SELECT {table.key_in(name)}, {table.match or 'NULL'} FROM {name}")  # noqa: S608
        while batch := rows.fetchmany(1_000):
            head = vouch(conn, tables, head, ((name, *row) for row in batch), "upgrade")
    if head.number:
        conn.execute(  # an end that was cut off stays so
            """INSERT INTO desk VALUES ('head', ?)
               ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value = ?""",
            (str(head), str(was)),
        )


def _remake(db: Database, table: str, *changes: tuple[str, str]) -> None:
    """Make a table anew, in whose definition some words stand in place of others: SQLite itself alters neither keys nor
    checks. Rows keep their numbers, and indexes stay."""
    statements = dict(
        db.execute("SELECT name, sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL", (table,))
    )
    definition, names = statements.pop(table), [column.name for column in db.table(table).columns]
    if "id" not in names and "WITHOUT ROWID" not in definition:
        names.append("rowid")
    columns = ", ".join(names)
    for old, new in changes:
        definition = definition.replace(old, new, 1)
    db.execute(re.sub(f'CREATE TABLE "?{table}"?', f"CREATE TABLE new_{table}", definition))
    db.execute(f"INSERT INTO new_{table} ({columns}) SELECT {columns} FROM {table}")  # noqa: S608 - names of ours
    db.execute(f"DROP TABLE {table}")
    db.execute(f"ALTER TABLE new_{table} RENAME TO {table}")
    for index in statements.values():
        db.execute(index)


def _run(db: Database, script: str) -> None:
    """Run statements one by one: `executescript` would commit the migration's transaction first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""
