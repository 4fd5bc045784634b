"""The tables, indexes, triggers and views with which the first step of `migrations.py` begins. A released step never
changes: neither does this."""

LETTERS = """
    -- What one run leaves to the next, by name.
    CREATE TABLE desk (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

    -- Letters as they came, kept before anything else is done with them.
    CREATE TABLE letters (
        id INTEGER PRIMARY KEY,
        sha256 TEXT NOT NULL UNIQUE,      -- of its bytes: the same letter counts once
        arrived TEXT NOT NULL,
        size INTEGER NOT NULL,            -- bytes on the server; `raw` may be cut
        raw BLOB,
        state TEXT NOT NULL DEFAULT 'kept' CHECK (state IN ('kept', 'handled', 'held', 'set aside')),
        attempts INTEGER NOT NULL DEFAULT 0,
        sender TEXT,
        message_id TEXT,
        words TEXT,                       -- hash of the writer's own words
        match INTEGER, seat TEXT, turn INTEGER,
        outcome TEXT,                     -- what came of it, in a few words
        vouched INTEGER,                  -- the player who said that it is theirs
        rank INTEGER NOT NULL DEFAULT 0   -- while it is kept: how soon it is read
    ) STRICT;
    CREATE INDEX letters_waiting ON letters (attempts > 0, rank, id) WHERE state = 'kept';
    CREATE INDEX letters_stuck ON letters (match, turn) WHERE state IN ('held', 'set aside');
    CREATE INDEX letters_again ON letters (sender, message_id);
    CREATE INDEX letters_held_from ON letters (sender) WHERE state = 'held';
    CREATE INDEX letters_of_strangers ON letters (arrived)
        WHERE match IS NULL AND vouched IS NULL AND raw IS NOT NULL;
    CREATE INDEX letters_for_room ON letters (rank, id) WHERE state = 'handled' AND rank > 0 AND raw IS NOT NULL;

    -- Letters that are deleted here and still have to be deleted from the mailbox.
    CREATE TABLE removals (
        letter INTEGER PRIMARY KEY REFERENCES letters (id),
        due TEXT NOT NULL                 -- when to try next; '': at once
    ) STRICT;
"""

PLAYERS = """
    CREATE TABLE players (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        since TEXT NOT NULL,
        zone TEXT NOT NULL DEFAULT '',    -- '': the desk's
        language TEXT NOT NULL DEFAULT '', -- of letters to them; '': they have not said
        confirmed TEXT,                   -- since when we know that they exist
        refuses TEXT,                     -- since when they want no invitations
        banned TEXT,
        epoch INTEGER NOT NULL DEFAULT 1, -- of their own tokens; grows whenever those are renewed
        mail TEXT NOT NULL DEFAULT ''     -- such as 'fewer digest=18:00 text'
    ) STRICT;
    CREATE TABLE addresses (
        id INTEGER PRIMARY KEY,
        address TEXT NOT NULL UNIQUE,     -- in lower case
        written TEXT NOT NULL,            -- as it was given: where letters go
        player INTEGER NOT NULL REFERENCES players (id),
        confirmed TEXT                    -- null: waits for a yes from there
    ) STRICT;
    CREATE INDEX addresses_of_player ON addresses (player);

    -- Addresses that a player says are theirs. They belong to nobody before both sides have said yes.
    CREATE TABLE claims (
        id INTEGER PRIMARY KEY,
        player INTEGER NOT NULL REFERENCES players (id),
        address TEXT NOT NULL,            -- in lower case
        written TEXT NOT NULL,            -- as it was given
        made TEXT NOT NULL,
        letter INTEGER NOT NULL,          -- the answer to it asks an older address; 0: none is asked
        agreed TEXT,                      -- when that one said yes
        answered INTEGER,                 -- the letter in which the claimed address itself said yes
        instead TEXT NOT NULL,            -- the address that it replaces; '': none
        taken TEXT,                       -- since when it is theirs
        UNIQUE (player, address)
    ) STRICT;

    CREATE TABLE absences (
        id INTEGER PRIMARY KEY,
        player INTEGER NOT NULL REFERENCES players (id),
        first TEXT NOT NULL, last TEXT NOT NULL, -- days, both included
        zone TEXT NOT NULL,
        spent INTEGER NOT NULL DEFAULT 0  -- 1: ended early after a deadline had waited; its days count as used
    ) STRICT;
    CREATE INDEX absences_of_player ON absences (player, last);

    -- Letters to people who had not asked for them, and which player caused them: there is a limit.
    CREATE TABLE invitations (
        id INTEGER PRIMARY KEY,
        player INTEGER NOT NULL REFERENCES players (id),
        made TEXT NOT NULL
    ) STRICT;
    CREATE INDEX invitations_lately ON invitations (player, made);
"""

LEAGUES = """
    CREATE TABLE leagues (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE COLLATE NOCASE,
        settings TEXT NOT NULL,           -- JSON: the league file without its players
        season INTEGER NOT NULL DEFAULT 0, -- 0: none has begun
        begun TEXT                        -- when the season did
    ) STRICT;
    CREATE TABLE entrants (
        id INTEGER PRIMARY KEY,
        league INTEGER REFERENCES leagues (id), -- null: waits for the next match of `game`
        season INTEGER NOT NULL DEFAULT 0,
        division INTEGER NOT NULL DEFAULT 0, -- 0: none, on standby
        player INTEGER NOT NULL REFERENCES players (id),
        name TEXT NOT NULL,               -- as in the players' file
        seed INTEGER NOT NULL,            -- the place at the start of the season
        state TEXT NOT NULL CHECK (state IN ('playing', 'standby', 'leaving', 'withdrawn')),
        since TEXT NOT NULL,
        game TEXT,                        -- null: takes part in a league
        given REAL NOT NULL DEFAULT 0,    -- points that a game master gave by hand
        agreed TEXT,                      -- since when they take part by their own word; null: others put them in
        UNIQUE (league, season, player)
    ) STRICT;
    CREATE UNIQUE INDEX entrants_waiting ON entrants (game, player) WHERE league IS NULL;
    CREATE INDEX entrants_leaving ON entrants (league) WHERE state = 'leaving';
    CREATE INDEX entrants_of_player ON entrants (player);
    CREATE TABLE rounds (
        league INTEGER NOT NULL REFERENCES leagues (id),
        season INTEGER NOT NULL,
        division INTEGER NOT NULL,
        round INTEGER NOT NULL,
        byes TEXT NOT NULL,               -- JSON: players
        notes TEXT NOT NULL,              -- JSON: rules of pairing that could not be kept
        begun TEXT, ended TEXT,
        PRIMARY KEY (league, season, division, round)
    ) STRICT, WITHOUT ROWID;

    -- Games of a round. Columns name players by the seats of the game in its order; a seat counts for its player's
    -- place in the league, even after somebody else has taken it over.
    CREATE TABLE pairings (
        id INTEGER PRIMARY KEY,
        league INTEGER NOT NULL, season INTEGER NOT NULL, division INTEGER NOT NULL, round INTEGER NOT NULL,
        first INTEGER NOT NULL REFERENCES players (id),
        second INTEGER NOT NULL REFERENCES players (id),
        match INTEGER UNIQUE REFERENCES matches (id), -- null: has not begun
        third INTEGER REFERENCES players (id), -- null: a game of two
        fourth INTEGER REFERENCES players (id),
        seats TEXT,                       -- JSON: which of the league's seats, from 0; null: the first ones
        FOREIGN KEY (league, season, division, round) REFERENCES rounds
    ) STRICT;
    CREATE INDEX pairings_of_round ON pairings (league, season, division, round);

    -- What players asked of the pairing.
    CREATE TABLE requests (
        id INTEGER PRIMARY KEY,
        league INTEGER NOT NULL REFERENCES leagues (id),
        season INTEGER NOT NULL,          -- 0: all seasons: two players never meet
        round INTEGER NOT NULL,           -- 0: all rounds
        player INTEGER NOT NULL REFERENCES players (id),
        other INTEGER REFERENCES players (id), -- their opponent in that round; null: nobody
        points REAL NOT NULL              -- for having no game
    ) STRICT;
    CREATE INDEX requests_of_league ON requests (league, season);

    -- Ratings after each rated game; the last row of a player is their rating.
    CREATE TABLE ratings (
        id INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES matches (id),
        player INTEGER NOT NULL REFERENCES players (id),
        mu REAL NOT NULL, sigma REAL NOT NULL
    ) STRICT;
    CREATE INDEX ratings_of_match ON ratings (match);
    CREATE INDEX ratings_of_player ON ratings (player, id);
"""

MATCHES = """
    CREATE TABLE matches (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,        -- what people call it: oz-17
        game TEXT NOT NULL,
        options TEXT NOT NULL,            -- JSON: how the game was set up
        rules TEXT NOT NULL,              -- version of the rules
        state TEXT NOT NULL,              -- JSON
        phase TEXT NOT NULL DEFAULT 'running'
            CHECK (phase IN ('offered', 'running', 'paused', 'review', 'finished', 'annulled')),
        turn INTEGER NOT NULL DEFAULT 1,
        waiting INTEGER NOT NULL,         -- 0: the turn can be played now
        terms TEXT NOT NULL DEFAULT '{}', -- JSON: how long turns take, what follows a missed one
        deadline TEXT,                    -- as people agreed on it: 2026-11-29T20:00 Europe/Berlin
        began TEXT,                       -- when its deadline was set: reminders keep away from that
        due TEXT,                         -- the next moment at which the clock does something, in UTC
        extended INTEGER NOT NULL DEFAULT 0, -- how often this turn was
        league INTEGER REFERENCES leagues (id),
        season INTEGER, division INTEGER, round INTEGER,
        settled INTEGER NOT NULL DEFAULT 1, -- 0: its league has not yet noticed that it ended or goes on
        winner TEXT, reason TEXT, forfeit INTEGER NOT NULL DEFAULT 0,
        since TEXT NOT NULL, ended TEXT,
        secret TEXT NOT NULL DEFAULT '',  -- what the dice of this turn come from
        deck TEXT NOT NULL DEFAULT '',    -- what its shuffles come from; opened when it is over
        root TEXT NOT NULL DEFAULT '',    -- what new secrets are made from when it goes on after that; never opened
        hidden INTEGER NOT NULL DEFAULT 0, -- 1: it holds something that not everybody may see
        ranking TEXT,                     -- JSON: seats, best first
        cooling TEXT,                     -- until when a turn waits though all its orders are in; null: it does not
        former TEXT                       -- JSON: what it was before its end was decided or taken back
    ) STRICT;
    CREATE INDEX matches_ready ON matches (id) WHERE phase = 'running' AND waiting = 0;
    CREATE INDEX matches_due ON matches (due) WHERE due IS NOT NULL;
    CREATE INDEX matches_cooling ON matches (cooling) WHERE cooling IS NOT NULL;
    CREATE INDEX matches_of_league ON matches (league, season, division, round) WHERE league IS NOT NULL;
    CREATE INDEX matches_not_over ON matches (id) WHERE phase IN ('offered', 'running', 'paused', 'review');
    CREATE INDEX matches_unsettled ON matches (league) WHERE settled = 0;

    CREATE TABLE seats (
        match INTEGER NOT NULL REFERENCES matches (id),
        seat TEXT NOT NULL,
        player INTEGER NOT NULL REFERENCES players (id),
        name TEXT NOT NULL,
        epoch INTEGER NOT NULL DEFAULT 1, -- part of every token; grows with each new holder
        failing TEXT,                     -- since when letters to it come back
        oldest INTEGER NOT NULL DEFAULT 1, -- the holder's first epoch
        accepted TEXT,
        muted TEXT,
        missed INTEGER NOT NULL DEFAULT 0, -- turns in a row
        score INTEGER,                    -- what it held when the game ended
        gone INTEGER,                     -- the turn from which it no longer plays
        later TEXT,                       -- JSON: orders for later turns, [turn, letter, words, nonce] each
        words TEXT NOT NULL DEFAULT '',   -- SHA-256 of what it last brought to chance; '': nothing
        PRIMARY KEY (match, seat)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX seats_of_player ON seats (player);

    -- What joins the orders of a seat in every turn until it says otherwise.
    CREATE TABLE standing_orders (
        match INTEGER NOT NULL REFERENCES matches (id),
        seat TEXT NOT NULL,
        canonical TEXT NOT NULL,
        PRIMARY KEY (match, seat)
    ) STRICT, WITHOUT ROWID;

    -- Columns in the order of the key, or the quick check of SQLite 3.40 calls sound rows damaged.
    CREATE TABLE wishes (
        match INTEGER NOT NULL REFERENCES matches (id),
        wish TEXT NOT NULL,
        seat TEXT NOT NULL,
        PRIMARY KEY (match, wish, seat)
    ) STRICT, WITHOUT ROWID;

    -- Seats that their holders want to hand over, until somebody accepts.
    CREATE TABLE offers (
        match INTEGER NOT NULL REFERENCES matches (id),
        seat TEXT NOT NULL,
        player INTEGER NOT NULL REFERENCES players (id),
        made TEXT NOT NULL,
        letter INTEGER NOT NULL DEFAULT 0, -- that made the offer
        PRIMARY KEY (match, seat)
    ) STRICT, WITHOUT ROWID;

    -- Commands that are carried out once a yes answers our answer to their letter.
    CREATE TABLE questions (
        letter INTEGER NOT NULL REFERENCES letters (id),
        word TEXT NOT NULL,               -- the command's
        argument TEXT,                    -- what stands behind it; null: it takes none
        player INTEGER NOT NULL REFERENCES players (id),
        match INTEGER REFERENCES matches (id),
        seat TEXT,
        turn INTEGER,                     -- the question lapses when this is played
        made TEXT NOT NULL,
        PRIMARY KEY (letter, word)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX questions_of_match ON questions (match, turn);

    -- The open questions that an answer listed, for `yes 2`.
    CREATE TABLE lists (
        letter INTEGER PRIMARY KEY REFERENCES letters (id),
        player INTEGER NOT NULL REFERENCES players (id),
        keys TEXT NOT NULL,               -- JSON: what each number means
        made TEXT NOT NULL
    ) STRICT;
    CREATE INDEX lists_of_player ON lists (player);

    CREATE TABLE observers (
        match INTEGER NOT NULL REFERENCES matches (id),
        player INTEGER NOT NULL REFERENCES players (id),
        PRIMARY KEY (match, player)
    ) STRICT, WITHOUT ROWID;

    -- Whether the orders of a seat had come when a turn was played; append-only.
    CREATE TABLE attendance (
        id INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES matches (id),
        turn INTEGER NOT NULL,
        seat TEXT NOT NULL,
        player INTEGER NOT NULL,
        missed INTEGER NOT NULL CHECK (missed IN (0, 1)),
        UNIQUE (match, turn, seat, player) -- once, even if the turn is undone and played again
    ) STRICT;
    CREATE INDEX attendance_of_player ON attendance (player, missed);
    CREATE TRIGGER attendance_stays_1 BEFORE UPDATE ON attendance
        BEGIN SELECT RAISE(ABORT, 'attendance is append-only'); END;
    CREATE TRIGGER attendance_stays_2 BEFORE DELETE ON attendance
        BEGIN SELECT RAISE(ABORT, 'attendance is append-only'); END;

    CREATE TABLE orders (
        id INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES matches (id),
        turn INTEGER NOT NULL,
        seat TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('standing', 'replaced', 'withdrawn', 'proposed', 'played', 'undone')),
        number INTEGER,                   -- of the receipt; null while only proposed
        letter INTEGER REFERENCES letters (id), -- null: entered by the game master
        written TEXT NOT NULL,            -- the writer's own words
        canonical TEXT NOT NULL,
        nonce TEXT NOT NULL DEFAULT ''    -- hides them in their seal; '': only proposed
    ) STRICT;
    CREATE INDEX orders_of_turn ON orders (match, turn, seat);
    CREATE UNIQUE INDEX orders_standing ON orders (match, turn, seat) WHERE state = 'standing';

    CREATE TABLE turns (
        id INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES matches (id),
        turn INTEGER NOT NULL,
        before TEXT NOT NULL,             -- JSON
        orders TEXT NOT NULL,             -- JSON: for each seat `written`, `canonical` and so on; null if missed
        after TEXT NOT NULL,              -- JSON
        events TEXT NOT NULL,             -- JSON
        rules TEXT NOT NULL,              -- version of the rules
        played TEXT NOT NULL,
        undone TEXT,                      -- since when it no longer counts
        unseen INTEGER NOT NULL DEFAULT 0, -- 1: undone before anybody had seen its report
        secret TEXT NOT NULL DEFAULT ''   -- what its dice came from
    ) STRICT;
    CREATE UNIQUE INDEX turns_that_count ON turns (match, turn) WHERE undone IS NULL;
    CREATE INDEX turns_of_match ON turns (match, turn);

    -- Finds turns by words of their orders.
    CREATE VIRTUAL TABLE order_search USING fts5 (orders, turn UNINDEXED, seat UNINDEXED);
    CREATE TRIGGER turns_are_found AFTER INSERT ON turns BEGIN
        INSERT INTO order_search (orders, turn, seat)
            SELECT value ->> '$.canonical', new.id, key FROM json_each(new.orders) WHERE type = 'object';
    END;
"""

OUTBOX = """
    -- Letters that we send, written in the transaction of what they report.
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
        refused TEXT,                     -- the server's last word: it will not take the letter
        calendar TEXT                     -- the deadline in it; '': cancelled
    ) STRICT;
    -- Addresses to which the last letter was given up.
    CREATE TABLE refusals (
        id INTEGER PRIMARY KEY,
        address TEXT NOT NULL UNIQUE,     -- in lower case
        since TEXT NOT NULL,              -- when a letter was last tried there
        nobody INTEGER NOT NULL           -- 1: the server says that nobody is there
    ) STRICT;

    CREATE INDEX outbox_waiting ON outbox (id, due) WHERE sent IS NULL AND refused IS NULL;
    CREATE INDEX outbox_of_seat ON outbox (match, seat);
    CREATE INDEX outbox_lately ON outbox (recipient, made);
    CREATE INDEX outbox_to_strangers ON outbox (made) WHERE kind IN ('stranger', 'newcomer');

    -- Letters that wait to go out as one letter with the others of their reader's day.
    CREATE TABLE gathered (
        letter INTEGER PRIMARY KEY REFERENCES outbox (id),
        body TEXT NOT NULL,               -- JSON: what it says, without anything around it; '' once it was sent
        within INTEGER                    -- the letter in which it was sent; null: not yet; 0: none, it was overtaken
    ) STRICT;
    CREATE INDEX gathered_within ON gathered (within) WHERE within IS NOT NULL;

    -- Seats that wrote so much that they get one letter instead of many, and when.
    CREATE TABLE digests (
        match INTEGER NOT NULL, seat TEXT NOT NULL, due TEXT NOT NULL,
        PRIMARY KEY (match, seat)
    ) STRICT, WITHOUT ROWID;

    -- Seats whose new orders the run announces to the others when it ends.
    CREATE TABLE notices (
        match INTEGER NOT NULL,
        seat TEXT NOT NULL,
        turn INTEGER NOT NULL,
        PRIMARY KEY (match, seat)
    ) STRICT, WITHOUT ROWID;
"""

RECORD = """
    -- What happened; append-only. `hash` covers the hash of the row before and this row.
    CREATE TABLE record (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,
        match INTEGER,
        digest TEXT NOT NULL,             -- SHA-256 of nonce and content
        hash TEXT NOT NULL
    ) STRICT;
    CREATE INDEX record_of_match ON record (match, kind) WHERE match IS NOT NULL;
    CREATE INDEX record_of_decisions ON record (id) WHERE kind = 'decision';
    CREATE TABLE record_contents (
        record INTEGER PRIMARY KEY REFERENCES record (id),
        nonce BLOB NOT NULL,
        content TEXT NOT NULL             -- JSON; the row is deleted if a person wants it forgotten
    ) STRICT;
    CREATE TRIGGER record_is_append_only_1 BEFORE UPDATE ON record
        BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;
    CREATE TRIGGER record_is_append_only_2 BEFORE DELETE ON record
        BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END;

    -- What keeps anybody from guessing the values of a row from its hash in the record.
    CREATE TABLE salts (
        tbl_name TEXT NOT NULL,
        key ANY NOT NULL,                 -- the row's number, or its primary key as a JSON list
        salt BLOB NOT NULL,
        PRIMARY KEY (tbl_name, key)
    ) STRICT, WITHOUT ROWID;
"""

# The views contain nothing secret: no addresses, no words from letters, and no unrevealed orders.
VIEWS = """
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
             LEFT JOIN matches m ON m.id = s.match AND m.phase <> 'offered' AND NOT m.sandbox
        GROUP BY p.id;
    CREATE VIEW turns_played AS
        SELECT t.id, m.name AS game, t.turn, o.key AS seat, o.value ->> '$.canonical' AS orders, t.played, t.undone
        FROM turns t JOIN matches m ON m.id = t.match JOIN json_each(t.orders) o
        WHERE NOT t.unseen AND NOT m.hidden
              AND NOT (m.phase = 'review' AND t.turn = m.turn - 1 AND t.undone IS NULL);
    CREATE VIEW results AS
        SELECT l.name AS league, p.season, p.division, p.round, a.name AS first, b.name AS second,
               m.name AS game, m.phase, m.winner, c.name AS third, d.name AS fourth, m.ranking
        FROM pairings p JOIN leagues l ON l.id = p.league
             JOIN players a ON a.id = p.first JOIN players b ON b.id = p.second
             LEFT JOIN players c ON c.id = p.third LEFT JOIN players d ON d.id = p.fourth
             LEFT JOIN matches m ON m.id = p.match;
    CREATE VIEW letters_received AS
        SELECT l.id, l.arrived, m.name AS game, l.seat, l.turn, l.state, l.outcome, l.size
        FROM letters l LEFT JOIN matches m ON m.id = l.match;
    CREATE VIEW letters_sent AS
        SELECT o.id, o.made, o.sent, o.kind, m.name AS game, o.seat, o.attempts, o.refused IS NOT NULL AS refused,
               length(o.raw) AS size
        FROM outbox o LEFT JOIN matches m ON m.id = o.match;
"""
