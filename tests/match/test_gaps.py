"""No letter shows a gap of a sentence that nothing has filled, whatever is wrong in the letter that it answers."""

import re
from collections.abc import Callable

import pytest

from pbem.cli.demo import letter_text
from support.players import Players

MISTAKES = {
    "english": """Deploy Johnny; Attack: Zulu; Attack: Zulu > Bao, Doc > Bao; Attack: Godzilla > Bao; Move: Doc to Z;
        March: Zulu to A, Doc to B; Trade Doc; Act Doc; Capture Bao; Use Horny; Reroll attack: many; Reroll banana: 1;
        React Johnny: maybe; Income 3: Doc; Att: Zulu > Bao; Bao: Zulu > Doc; Move two: Johny to A, Johny to B;
        If Bao is gone: Napalm: B; Pour 12: Attack: Zulu > Bao; Deploy Min C; Move: tomorrow""",
    "deutsch": """Aufstellen: Johnny; Angriff: Zulu; Angriff: Zulu > Bao, Doc > Bao; Angriff: Godzilla > Bao;
        Bewegung: Doc nach Z; Marsch: Zulu nach A, Doc nach B; Tausche Doc; Fange Bao; Nutze Horny;
        Neuwurf Angriff: viele; Neuwurf Banane: 1; Antwort Johnny: vielleicht; Einkommen 3: Doc;
        Doppelbewegung: Johny nach A, Johny nach B; Wenn Bao weg ist: Napalm: B; Aufstellen: Min C""",
    "русский": """Развернуть Джонни; Атака: Зулу; Атака: Зулу > Бао, Док > Бао; Атака: Годзилла > Бао; Манёвр: Док в Ж;
        Марш: Зулу в А, Док в Б; Обменять Док; Пленить Бао; Фишка Хорни; Переброс атака: много; Переброс банан: 1;
        Ответ Джонни: может; Приход 3: Док; Двойной манёвр: Джони в А, Джони в Б; Если Бао нет: Напалм: Б;
        Развернуть Мин С""",
}
"""Lines with something wrong in each of them, in each language of letters."""
BRACES = ("Deploy {unit} {point}", "Rocknroll Zulu: {card}", "If {text} in A: Pass", "{0} {} {number}", "{text} {card}")


@pytest.mark.parametrize("language", MISTAKES)
def test_the_answer_to_each_mistake_has_no_gap(begin: Callable[..., Players], language: str) -> None:
    people = begin("rocknroll")
    (seat,) = people.game.missing()
    who = people.game.holders[seat].player.address
    people.write(who, f"language {language}")
    lines = [line.strip() for line in MISTAKES[language].split(";")]
    for line in lines:
        people.say(who, line)
        assert not re.findall("[{}]", letter_text(people.got[who][-1])), line
    answer = people.say(who, "\n".join(lines))
    assert answer.count(" | ") > len(lines) / 2
    assert not re.findall("[{}]", answer)


@pytest.mark.parametrize("language", MISTAKES)
def test_braces_that_somebody_writes_are_quoted_and_name_no_gap(begin: Callable[..., Players], language: str) -> None:
    people = begin("rocknroll")
    (seat,) = people.game.missing()
    who = people.game.holders[seat].player.address
    people.write(who, f"language {language}")
    for line in BRACES:
        answer = people.say(who, line)
        written = re.findall(r"\{\w*\}", line)
        assert set(written) == set(re.findall(r"\{\w*\}", answer)), line
