"""The tables of a desk's database, and the steps that bring an older database up to date.

No other module creates or alters tables. A released step never changes: each new version of the tables gets a new step
at the end, and the next `VERSION` in `store/database.py`.
"""

import sqlite3

from sqlite_utils import Database, Migrations

from pbem.store import baseline

migrations = Migrations("pbem")


@migrations()
def m001_baseline(db: Database) -> None:
    """Create all tables, indexes, triggers and views of a new desk."""
    for script in (
        baseline.LETTERS,
        baseline.PLAYERS,
        baseline.LEAGUES,
        baseline.MATCHES,
        baseline.OUTBOX,
        baseline.RECORD,
        baseline.VIEWS,
    ):
        run(db, script)


@migrations()
def m002_interpretations(db: Database) -> None:
    """Create the table for the readings of letters by an interpreter."""
    run(db, _INTERPRETATIONS)


@migrations()
def m003_old_mailbox(db: Database) -> None:
    """Add the mailbox from which a letter came."""
    run(db, "ALTER TABLE letters ADD COLUMN mailbox TEXT NOT NULL DEFAULT '';")  # 'old': that of the old address


@migrations()
def m004_late_entries(db: Database) -> None:
    """Mark the rounds that a late entrant has missed, which are stored like byes."""
    run(db, "ALTER TABLE requests ADD COLUMN late INTEGER NOT NULL DEFAULT 0;")  # 1: not yet in the league then


@migrations()
def m005_votes(db: Database) -> None:
    """Add what a vote needs besides the seats that wish something. A pause that was asked for becomes a vote."""
    run(db, _VOTES)


@migrations()
def m006_stand_ins(db: Database) -> None:
    """Add the computer that plays a seat for its holder."""
    run(db, "ALTER TABLE seats ADD COLUMN stand_in INTEGER NOT NULL DEFAULT 0;")  # its level; 0: the holder plays
    run(db, "ALTER TABLE seats ADD COLUMN unrated INTEGER NOT NULL DEFAULT 0;")  # the first turn it gave orders for


@migrations()
def m007_banks(db: Database) -> None:
    """Add banks of time."""
    run(db, _BANKS)


_BANKS = """
    ALTER TABLE matches ADD COLUMN latest TEXT; -- with banks of time, the deadline by the pace, as `deadline`
    ALTER TABLE seats ADD COLUMN bank INTEGER;  -- seconds in its bank of time; null: it has none
    ALTER TABLE seats ADD COLUMN runs TEXT;     -- since when the others wait for it; null: they do not
    ALTER TABLE turns ADD COLUMN banks TEXT NOT NULL DEFAULT ''; -- JSON: seconds in each bank after the turn; '': none
"""


@migrations()
def m008_sandboxes(db: Database) -> None:
    """Add sandboxes, in which one person plays all sides, and the people whom that person asks to look on."""
    run(db, "ALTER TABLE matches ADD COLUMN sandbox INTEGER NOT NULL DEFAULT 0;")  # 1: one person plays all sides
    run(db, "ALTER TABLE observers ADD COLUMN asked INTEGER NOT NULL DEFAULT 0;")  # 1: has not agreed to look on yet
    run(db, f"DROP VIEW people; {_PEOPLE.format(told='')}")


@migrations()
def m009_anonymous(db: Database) -> None:
    """Add the names of players in anonymous games, and what keeps anybody from working out their pairings."""
    run(db, "ALTER TABLE seats ADD COLUMN untold TEXT NOT NULL DEFAULT '';")  # the name; `name` is that of the side
    run(db, "ALTER TABLE leagues ADD COLUMN lot TEXT NOT NULL DEFAULT '';")  # secret; '': pairs by strength
    told = " AND s.untold = ''"
    run(db, f"DROP VIEW people; {_PEOPLE.format(told=told)}")
    run(db, _ANONYMOUS)


_ANONYMOUS = """
    CREATE INDEX seats_untold ON seats (match) WHERE untold <> '';
    DROP VIEW results;
    CREATE VIEW results AS
        SELECT l.name AS league, p.season, p.division, p.round, a.name AS first, b.name AS second,
               m.name AS game, m.phase, m.winner, c.name AS third, d.name AS fourth, m.ranking
        FROM pairings p JOIN leagues l ON l.id = p.league
             JOIN players a ON a.id = p.first JOIN players b ON b.id = p.second
             LEFT JOIN players c ON c.id = p.third LEFT JOIN players d ON d.id = p.fourth
             LEFT JOIN matches m ON m.id = p.match
        WHERE NOT EXISTS (SELECT 1 FROM seats s WHERE s.match = p.match AND s.untold <> '')
              AND (p.match IS NOT NULL OR coalesce(l.settings ->> '$.terms.anonymous', 'no') = 'no');
"""


@migrations()
def m010_teams(db: Database) -> None:
    """Add the teams of leagues, who plays for them, and their matches."""
    run(db, _TEAMS)


_TEAMS = """
    ALTER TABLE entrants ADD COLUMN team INTEGER NOT NULL DEFAULT 0; -- the number of their team; 0: plays for none
    ALTER TABLE rounds ADD COLUMN teams TEXT; -- JSON: the matches of teams, and the teams with a bye; null: of players

    -- Teams of a season of a league.
    CREATE TABLE teams (
        league INTEGER NOT NULL REFERENCES leagues (id),
        season INTEGER NOT NULL,
        number INTEGER NOT NULL,          -- the same in all seasons
        division INTEGER NOT NULL,
        name TEXT NOT NULL,
        seed INTEGER NOT NULL,            -- the place at the start of the season
        captain INTEGER NOT NULL REFERENCES players (id),
        given REAL NOT NULL DEFAULT 0,    -- match points that a game master gave by hand
        PRIMARY KEY (league, season, number)
    ) STRICT, WITHOUT ROWID;

    -- Who is to play on a board of a team in a round, if not the player whose turn it is.
    CREATE TABLE substitutions (
        league INTEGER NOT NULL REFERENCES leagues (id),
        season INTEGER NOT NULL,
        round INTEGER NOT NULL,
        team INTEGER NOT NULL,
        board INTEGER NOT NULL,           -- from 1
        player INTEGER NOT NULL REFERENCES players (id),
        PRIMARY KEY (league, season, round, team, board)
    ) STRICT, WITHOUT ROWID;
"""


@migrations()
def m011_fewer_letters(db: Database) -> None:
    """Combine receipt and report for everybody who has not asked for all letters."""
    run(db, "UPDATE players SET mail = trim(replace(' ' || mail || ' ', ' fewer ', ' '));")


@migrations()
def m012_dates(db: Database) -> None:
    """Add when the pairings of a round were told before it began, and when a league has to be looked at for its
    dates."""
    run(db, "ALTER TABLE rounds ADD COLUMN told TEXT;")  # null: not before it began
    run(db, "ALTER TABLE leagues ADD COLUMN due TEXT;")  # null: no round waits for its date


@migrations()
def m013_external_ratings(db: Database) -> None:
    """Add the ratings that are given with the players of leagues that show no ratings of the desk."""
    run(db, "ALTER TABLE entrants ADD COLUMN rating INTEGER NOT NULL DEFAULT 0;")  # 0: none


_VOTES = """
    ALTER TABLE wishes ADD COLUMN agrees INTEGER NOT NULL DEFAULT 1;   -- of a vote: 0 for a vote against it
    ALTER TABLE wishes ADD COLUMN asks INTEGER NOT NULL DEFAULT 0;     -- 1: the seat has asked for the vote
    ALTER TABLE wishes ADD COLUMN argument TEXT NOT NULL DEFAULT '';   -- the turn, or the new deadline
    ALTER TABLE wishes ADD COLUMN until TEXT;                          -- when the vote ends; null: with the turn
    ALTER TABLE wishes ADD COLUMN asked_with TEXT NOT NULL DEFAULT ''; -- the key of the letters that ask for the votes
    UPDATE wishes SET asks = 1 WHERE wish IN ('pause', 'resume');
"""

_PEOPLE = """
    CREATE VIEW people AS
        SELECT p.id, p.name, p.since, p.zone, p.language,
               count(m.id) AS games, coalesce(sum(m.phase = 'finished'), 0) AS finished,
               coalesce(sum(m.phase = 'finished' AND m.winner = s.seat), 0) AS won,
               (SELECT r.mu FROM ratings r WHERE r.player = p.id ORDER BY r.id DESC LIMIT 1) AS rating,
               (SELECT r.sigma FROM ratings r WHERE r.player = p.id ORDER BY r.id DESC LIMIT 1) AS uncertainty
        FROM players p LEFT JOIN seats s ON s.player = p.id{told}
             LEFT JOIN matches m ON m.id = s.match AND m.phase <> 'offered' AND NOT m.sandbox
        GROUP BY p.id;
"""

_INTERPRETATIONS = """
    -- Letters about which an interpreter is asked, and its answers.
    CREATE TABLE interpretations (
        letter INTEGER PRIMARY KEY REFERENCES letters (id),
        match INTEGER NOT NULL REFERENCES matches (id),
        seat TEXT NOT NULL,
        asked TEXT,                       -- when it was asked; null: the letter waits for that
        answer TEXT NOT NULL DEFAULT ''   -- JSON; '': it failed, '-': it was not asked after all
    ) STRICT;
    CREATE INDEX interpretations_asked ON interpretations (asked);
"""


def run(db: Database, script: str) -> None:
    """Execute the statements of a script in the open transaction. `executescript` would commit the transaction
    first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement.strip())
            statement = ""
