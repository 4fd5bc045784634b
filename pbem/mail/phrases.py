"""Phrases that mail programs put around a person's words, in many languages, and recognition of the desk's own letter
where it is quoted without marks.

To add a language, add its phrases to these lists. Plain phrases have the form that `plaintext.normalise` returns, in
upper or lower case. Constants whose names end in _PATTERN are parts of regular expressions, in which all repetitions
are bounded.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from pbem.mail.plaintext import normalise

WROTE = (
    *("wrote", "writes", "schrieb", "schrieben", "geschrieben", "a écrit", "écrit", "écrivait"),
    *("escribió", "escribio", "ha scritto", "scritto", "escreveu", "schreef", "geschreven"),
    *(
        "napisał",
        "napisała",
        "napisał(a)",
        "napisana przez",
        "pisze",
        "skrev",
        "kirjoitti",
        "napsal",
        "napsal(a)",
        "napísal",
    ),
    *("írta", "a scris", "yazdı", "έγραψε", "написал", "написала", "написал(а)", "пишет", "пише", "написав"),
    *("писал", "писал(а)", "писала", "написа", "написао", "написао/ла", "quoting", "zitat von", "citando a"),
    *("ha escrit", "va escriure", "idatzi du", "napisala", "napisao", "napisao/la", "kirjutas", "rašė", "rakstīja"),
    *("skrifaði", "menulis", "đã viết", "ने लिखा", "נכתב", "כתב", "כתבה", "כתב/ה", "كتب", "كتبت", "كتب/كتبت", "نوشت"),
)
"""Verbs in the introduction of a quote, "On ... somebody wrote:"."""

WROTE_UNSPACED = (
    "写道",
    "寫道",
    "写到",
    "さんは書きました",
    "のメール",
    "のメッセージ",
    "작성",
    "님이 쓴",
    "쓴 글",
    "提到",
    "เขียน",
)
"""Verbs like those in `WROTE`, in languages that are written without spaces."""

SAID = ("said", "says", "write", "sent", "quoth", "spake", "sagte", "meinte", "a dit", "dijo", "disse", "zei", "сказал")
"""Verbs that introduce a quote only if lines with quote marks follow."""

OPENERS = (
    *("On", "At", "Am", "Le", "El", "Il", "Em", "Op", "Den", "Dne", "Dnia", "W dniu", "In", "Pe"),
    *("Dana", "Dňa", "Oseba", "Pada", "På", "Στις", "На"),
    *("Quoting", "Zitat von", "Wiadomość napisana przez"),
)
"""Beginnings of the introduction of a quote, "On ... somebody wrote:"."""

SEPARATORS = (
    *("original message", "original e-mail", "forwarded message", "forwarded by", "reply message"),
    *(
        "antwort nachricht",
        "ursprüngliche nachricht",
        "originalnachricht",
        "original-nachricht",
        "weitergeleitete nachricht",
    ),
    *("message d'origine", "message original", "mail original", "message transféré"),
    *("mensaje original", "mensaje reenviado", "mensagem original", "mensagem encaminhada"),
    *("messaggio originale", "messaggio originario", "messaggio inoltrato"),
    *("oorspronkelijk bericht", "origineel bericht", "doorgestuurd bericht"),
    *("wiadomość oryginalna", "oryginalna wiadomość", "wiadomość przekazana", "původní zpráva"),
    *("ursprungligt meddelande", "originalmeddelande", "vidarebefordrat meddelande"),
    *("oprindelig meddelelse", "oprindelig besked", "original meddelelse", "videresendt meddelelse"),
    *("opprinnelig melding", "videresendt melding", "alkuperäinen viesti", "oryginalny list"),
    *("исходное сообщение", "первоначальное сообщение", "пересылаемое сообщение", "пересланное сообщение"),
    *(
        "reply separator",
        "元のメッセージ",
        "転送メッセージ",
        "原始邮件",
        "原始郵件",
        "邮件原件",
        "原邮件",
        "转发邮件",
        "원본 메일",
        "원본 이메일",
    ),
    "next part",  # archives of mailing lists put this in place of an attachment
)
"""Phrases that appear between dashes above an answered or forwarded letter."""

FORWARDS = (
    *("begin forwarded message:", "anfang der weitergeleiteten nachricht:", "begin doorgestuurd bericht:"),
    *("début du message réexpédié :", "début du message transféré :", "inicio del mensaje reenviado:"),
    *("inizio messaggio inoltrato:", "início da mensagem encaminhada:", "original message processed by"),
    "forwarded message:",
)
"""Phrases that appear without dashes above an answered or forwarded letter."""

LABELS = {
    "sender": (
        *("from", "von", "de", "da", "van", "od", "från", "fra", "от", "от кого", "отправитель", "від"),
        *("expéditeur", "mittente", "lähettäjä", "kimden", "gönderen", "feladó", "από", "de la", "saatja", "nuo", "no"),
        *("差出人", "送信者", "发件人", "發件人", "寄件者", "寄件人", "보낸 사람", "보낸사람", "발신", "מאת", "من"),
    ),
    "date": (
        *("sent", "date", "gesendet", "datum", "envoyé", "envoyé le", "date d'envoi", "fecha", "data"),
        *("enviado", "enviado el", "enviado em", "enviada em", "inviato", "verzonden", "wysłano", "wysłane"),
        *("skickat", "sendt", "dato", "lähetetty", "gönderildi", "gönderme tarihi", "tarih", "odesláno", "odoslané"),
        *("elküldve", "dátum", "στάλθηκε", "trimis", "poslano", "saadetud", "išsiųsta", "nosūtīts"),
        *("отправлено", "дата", "надіслано", "изпратено", "изпратено на", "送信日時", "日付", "日時"),
        *(
            "发送时间",
            "发送日期",
            "发件时间",
            "日期",
            "時間",
            "时间",
            "寄件日期",
            "已傳送",
            "보낸 날짜",
            "날짜",
            "נשלח",
            "تم الإرسال",
        ),
    ),
    "to": (
        *("to", "cc", "an", "kopie", "à", "a", "copie", "destinataire", "para", "aan", "do", "dw"),
        *("till", "til", "kopia", "kopi", "vastaanottaja", "kopio", "kime", "bilgi", "komu", "címzett", "προς"),
        *("către", "prima", "za", "adressaat", "kam", "кому", "копия", "до", "копие", "宛先", "收件人", "收件者"),
        *("抄送", "받는 사람", "받는사람", "받은사람", "참조", "אל", "إلى"),
    ),
    "subject": (
        *("subject", "betreff", "objet", "asunto", "assunto", "oggetto", "ogg", "onderwerp", "temat", "ämne", "emne"),
        *("aihe", "konu", "předmět", "predmet", "tárgy", "θέμα", "subiect", "zadeva", "teema", "tema", "tēma"),
        *("тема", "относно", "件名", "主题", "主 题", "主旨", "主題", "제목", "נושא", "الموضوع"),
    ),
}
"""Labels of the header block that Outlook and other programs put above the answered letter."""

MARKERS = (
    *("above this line", "below this line", "oberhalb dieser linie", "oberhalb dieser zeile"),
    *("über dieser linie", "über dieser zeile", "au-dessus de cette ligne", "encima de esta línea"),
    *("sopra questa riga", "acima desta linha", "boven deze regel", "boven deze lijn", "powyżej tej linii"),
    *("ovanför denna linje", "ovanför den här raden", "over denne linje"),
    *("выше этой строки", "выше этой линии", "выше этой черты"),
)
"""Phrases in the lines with which other programs ask people to write their answers above that line, as the desk's own
marker does."""

FAREWELLS = (
    *("best", "best regards", "kind regards", "warm regards", "regards", "best wishes", "all the best", "cheers"),
    *("thanks", "many thanks", "thanks and regards", "thanks & regards", "thank you", "sincerely", "yours sincerely"),
    *("yours", "yours truly", "good luck", "greetings", "br", "rgds"),
    *("mit freundlichen grüßen", "freundliche grüße", "viele grüße", "liebe grüße", "beste grüße", "gruß", "mfg"),
    *("cordialement", "bien cordialement", "amicalement", "salutations", "saludos", "un saludo", "atentamente"),
    *("cordiali saluti", "saluti", "distinti saluti", "atenciosamente", "abraço", "cumprimentos"),
    *("met vriendelijke groet", "groeten", "groet", "pozdrawiam", "z poważaniem", "s pozdravem"),
    *("med vänlig hälsning", "vänliga hälsningar", "mvh", "hälsningar", "med venlig hilsen", "venlig hilsen"),
    *("hilsen", "vh", "kh", "med vennlig hilsen", "ystävällisin terveisin", "с уважением", "всего доброго"),
    *("grüße", "schöne grüße", "herzliche grüße", "lg", "vg", "danke", "bien à vous", "à bientôt", "merci", "gracias"),
    *("un abrazo", "cordialmente", "um abraço", "grazie", "a presto", "bedankt", "z pozdrowieniami", "dziękuję"),
    *("s pozdravom", "děkuji", "bästa hälsningar", "med vänliga hälsningar", "tack", "tak", "terveisin", "kiitos"),
    *("üdvözlettel", "üdv", "saygılarımla", "pozdrav", "lep pozdrav", "cu stimă", "με εκτίμηση", "з повагою"),
    *(
        "с наилучшими пожеланиями",
        "спасибо",
        "よろしくお願いします",
        "敬具",
        "此致",
        "祝好",
        "谢谢",
        "감사합니다",
        "בברכה",
        "تحياتي",
    ),
)
"""Farewells that people write above their names."""

CONTACT_PATTERN = (
    r"\b(?:tel|telefon|phone|ph|fax|mobile?|mob|cell|handy|direct|office|тел|моб|t|m|p|f|d)\b[.:* ]{1,4}[+(\d]"
    r"|^\W*\+?\(?\d[\d ()/.-]{6,}\d\W*(?:\w{1,10}\W*)?$|\be-?mail ?: |: \+\d"
    r"|^\W*(?:https?://|www\.)\S+$|\bwww\.\w[\w-]{0,60}\.|^\W*\S{1,60}@\S{3,60}$"
    r"|^\d{1,5}\w? (?:\w{3,20}\.? ){1,3}(?:street|st|road|rd|avenue|ave|lane|drive|boulevard|blvd|square|floor)\b"
    r"|\b(?:registered (?:in|number|office)|amtsgericht|geschäftsführ\w{1,5}:|hrb \d)"
)
"""A pattern for lines with contact details."""

_BY_DEVICE = (
    r"(?=.*(?:\b(?:i?phone|ipad|ipod|android|galaxy|samsung|huawei|honor|xiaomi|redmi|poco|oneplus|pixel|nokia|motorola|moto"
    r"|xperia|htc|oppo|vivo|realme|fairphone|blackberry|handy|mobile|tablet|laptop|macbook|computer|pc|ios|windows|linux"
    r"|outlook|e-?mail|g-?mail|gmx|web\.de|yahoo|aol|proton|tuta|spark|thunderbird|k-9|mailspring|ger(?:ä|ae)t)\b"
    r"|phone\b|telefon|mail\b|mail\.ru|телефон|смартфон|айфон|планшет|почт[ыау]|яндекс|мобильн|устройств)).{1,70}"
)
"""A pattern for the words after "sent from" if they name a phone, another device or a program.

Any other words are a person's own ("sent from my drafts by accident").
"""

TURNED_PATTERN = (
    r"\b(?:accident|mistak|wrong|draft|tests?\b|ignor|cancel|disregard|not\b|n't\b|wait|forget|versehen|falsch|entw(?:u|ü)rf"
    r"|nicht|vergiss|verg(?:e|i)sst|ungültig|случайн|ошибк|чернов|не\b|отмен|забудь|тест"
    r"|early|soon\b|before|unfinished|premature|pocket|by itself|früh|voreilig|bevor\b|fertig|hosentasche|von selbst"
    r"|рано\b|раньше|прежде|недопис|незаконч|карман|само\b|нечаянно)"
)
"""A pattern for words that no device writes. They show that the line comes from a person who says that the letter does
not count, for example because it was sent by accident."""

_SENT = r"(?:sent|written|typed) (?:from|via|with|using)|gesendet (?:von|mit|über|aus)|отправлено (?:с|со|из|от|через)"
SENT_FROM_PATTERN = "|".join(
    (
        rf"(?:{_SENT}) {_BY_DEVICE}",
        rf"(?:von(?: mein\w*)?|dieser? \w+ wurde) {_BY_DEVICE} gesendet",
        r"from my (?:iphone|ipad|mobile|android).{0,20}|mobil gesendet",
        r"sent on the (?:go|move)|(?:get|download) (?:the new )?(?:\w{1,12}mail|aol|outlook|spark)\b.{0,40}",
        r"envoyée? (?:de|du|depuis|à partir|avec|via) .{1,60}|enviat des d.{1,60}",
        r"enviad[oa] (?:desde|de|do|da|a partir|com|con|via|por) .{1,60}",
        r"inviato (?:da|dal|con|tramite) .{1,60}|trimis de pe .{1,60}",
        r"(?:verstuurd|verzonden) (?:vanaf|vanuit|met|van|via) .{1,60}",
        r"wysłan[eoy] (?:z|za|przez) .{1,60}|odesláno .{1,60}|odoslané .{1,60}|poslano (?:s|z) .{1,60}",
        r"skicka(?:t|des) från .{1,60}|sendt (?:fra|med|via) .{1,60}|lähetetty .{1,60}|elküldve .{1,60}",
        r"надіслано .{1,60}|(?:изпратено от|послато са) .{1,60}",
        r"στάλθηκε από .{1,60}|נשלח מ.{1,60}|مُ?رسل من .{1,60}|đã gửi từ .{1,60}|ส่งจาก.{1,60}|dikirim dari .{1,60}",
        r"(?:发自|發自).{1,40}|来自.{1,20}邮箱.{0,20}|[从從](?:我的|\s?windows).{1,40}(?:发送|傳送|發送)",
        r"virus-free.{0,40}",
    )
)
"""A pattern for the line that phones and some programs put below every letter."""

SENT_FROM_ENDS = ("から送信", "から送信されました", "gönderildi", "에서 보냄", "küldve")
"""Endings of "sent from" lines in languages whose beginnings vary."""

PHONE_OUTLOOK_PATTERN = (
    r"(?!.*\b(?:i|my|we|is|are)\b).{0,30}(?:outlook.{0,30}(?:ios|android)|(?:ios|android).{0,20}outlook).{0,30}"
)
"""A pattern, in lower case, for the "sent from" line that Outlook writes on phones, in any language."""

DEVICE_PATTERN = (
    r"\W*(?:this (?:e-?mail|message) (?:was|has been) )?"
    r"(?:sent|envoyée?|enviad[oa]|inviato|gesendet|verzonden|verstuurd|wysłan[eoy]|skickat|sendt|отправлено) .{1,40}"
    r"\b(?:iphone|ipad|android|galaxy|blackberry|k-9|mailspring)\b.{0,120}|yahoo mail: .{1,60}"
)
"""A pattern for a "sent from" line that is a whole sentence and names a device or program in a way that is unusual in
prose."""

EXCUSE_PATTERN = (
    r"\W*(?:sent|written|typed) (?:from|on|with|via) .{1,60}\b(?:excuse|pardon|forgive|apologi[sz]e|typos?|brevity)\b"
    r"|\W*(?:please )?(?:excuse|pardon|forgive) (?:\w+ ){0,3}(?:typos?|brevity|typing)\b"
    r"|\W*bitte entschuldigen sie .{0,30}(?:kürze|tippfehler)"
)
"""A pattern for a "sent from" line with an apology for typing errors."""

SCANNERS = frozenset(
    ("avast", "bitdefender", "bullguard", "eset", "kaspersky", "mailmarshal", "mailscanner", "mcafee", "norton")
)
"""The names of virus scanners, which appear in the lines that these programs add to letters."""

WARNING_PATTERN = (
    r"\W*(?:caution|warning|attention|external|achtung|vorsicht|warnung|extern|précaution|prudence|precaución|atención"
    r"|cuidado|atenção|attenzione|let op|uwaga|obs|varning|advarsel|pozor|внимание|увага)\b.{0,90}"
    r"\b(?:originated|outside|extern\w*|do not click|außerhalb|l'extérieur|fuera de|fora d[ao]|l'esterno|dall'esterno"
    r"|estern[oa]|buiten|spoza|zewnątrz|utanför|uden for|utenfor|ekstern\w*|внешн\w*|зовнішн\w*).{0,200}$"
    r"|\W*(?:external|extern)(?: (?:e-?mail|sender|message))?\W*$"
    r"|\W*this (?:e-?mail|message) (?:is|was|came|originated|has been sent).{0,30} (?:outside|external)\b.{0,200}$"
    r"|\W*diese (?:e-?mail|nachricht) (?:stammt|kommt|wurde|ist) .{0,40}\b(?:extern\w*|außerhalb)\b.{0,200}$"
    r"|\W*(?:you|some people who received this message) don't often get e-?mail from "
    r"|\W*sie erhalten nicht (?:oft|häufig) (?:eine )?e-mails?|vous n'obtenez pas souvent d'e-mail"
    r"|no suele recibir correos? |zjqcmqryfpfptbanner"
    r"|\W*(?:classification|sensitivity) ?: ?\w{1,20}\W*$"
    r"|\W*(?:\w{2,10} ){0,2}(?:official use only|internal use)\b.{0,40}$"
)
"""A pattern for warnings that a company's gateway puts above all letters, or above letters from outside."""

FOOTER_PATTERN = (
    r"mailing list|unsubscribe|registered (?:office|headquarters)|registration n"
    r"|listinfo|subscribed|confidential|intended (?:only|solely)|privileged|vertraulich"
    r"|https?://|www\.|[\w.]@[\w-]+\.|\b(?:tel|phone|fax|mobile)\b|yahoo!|hotmail"
    r"|\(?\b\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b|\+\d[\d ()/-]{7,}\d|\b0\d{2,4}[ /-]?\d{5,}\b"
)
"""A pattern for text that may follow a ruled line in the footer of a mailing list, in a disclaimer or in a
signature."""

DISCLAIMER_PATTERN = (
    r"(?:disclaimer|confidentiality notice|legal notice)\b.{0,3}$|(?:confidentiality|legal) notice:"
    r"|disclaimer: (?:this|the|any) |important notice:? (?:this|the) |the information contained in this "
    r"|(?:notice: ?)?this (?:e-?mail|message|communication)\b(?:(?! is | are | may )[^.]){0,60} (?:is|are|may) "
    r"(?:[\w,]{1,14} ){0,9}(?:intended|confidential|privileged|for the sole use)"
    r"|if you are not the (?:intended|named) recipient"
    r"|if you have received this (?:e-?mail|message|communication) (?:in error|by mistake)"
    r"|the (?:information|contents?) (?:in|of) this (?:e-?mail|message)\b.{0,60}(?:confidential|intended)"
    r"|(?:(?:wichtiger )?hinweis: ?)?diese (?:e-?mail|nachricht) (?:enthält|kann|ist) "
    r"[^.]{0,60}(?:vertraulich|für den (?:\w{1,20} )?(?:empfänger|adressaten) bestimmt)"
    r"|(?:der inhalt dieser|die in dieser) (?:e-?mail|nachricht) .{0,60}vertraulich"
    r"|(?:wenn|falls|sollten) sie diese (?:e-?mail|nachricht) irrtümlich"
    r"|(?:wenn|falls|sollten) sie nicht der (?:\w{1,14} )?(?:empfänger|adressat)\b"
    r"|aviso (?:legal|de confiden)|avis de confid"
    r"|(?:la información contenida en|le informazioni contenute in|de informatie in|as informações contidas"
    r"|les informations contenues dans|treść tej wiadomości|informacje zawarte w)\b[^.]{0,80}"
    r" (?:confiden|vertrouwelijk|riservat|poufn)"
    r"|(?:ce (?:message|courriel)|este (?:mensaje|correo)|esta mensagem|questo messaggio|dit bericht|deze e-?mail"
    r"|niniejsza wiadomość|tato zpráva|detta (?:e-post)?meddelande|denne e-?mail"
    r"|(?:данное|настоящее|это) (?:электронное )?(?:письмо|сообщение))\b"
    r"[^.]{0,80} (?:confiden|vertrouwelijk|riservat|poufn|důvěrn|konfidenti|fortrolig|конфиденц)"
    r"|(?:информация, содержащаяся в|содержание) (?:данно|это|настояще)\w{1,3} [^.]{0,60}конфиденц"
    r"|если вы (?:получили (?:это|данное|настоящее) (?:письмо|сообщение)|не являетесь адресатом)"
)
"""A pattern for the beginning of the legal text that companies put below letters."""

LEGAL_WORDS = (
    *("confiden", "privileged", "recipient", "addressee", "disclos", "disseminat", "distribut", "copy", "copies"),
    *("unauthori", "prohib", "unlawful", "intended", "sender", "error", "notif", "delete", "destroy", "attachment"),
    *("virus", "liab", "views", "opinion", "registered", "e-mail", "email", "message", "communication", "entity"),
    *("individual", "transmi", "intercept", "contents", "consent", "permission", "reliance", "security", "database"),
    *("vertraulich", "rechtlich", "adressat", "empfänger", "irrtümlich", "absender", "vernicht", "lösch", "unbefugt"),
    *("unerlaubt", "weitergabe", "kopie", "gestattet", "untersagt", "verboten", "unzulässig", "bestimmt", "anhang"),
    *("anhäng", "vervielfält", "kenntnisnahme", "verbreit", "haftung", "viren", "nachricht", "informier"),
    *("конфиденц", "адресат", "получател", "отправител", "ошибк", "ошибочн", "удали", "уничтож", "уведом", "сообщ"),
    *("распростран", "копиров", "запрещ", "вложен", "использов", "раскрыт", "предназначен", "информаци", "письм"),
    *("destinat", "expéditeur", "erreur", "interdit", "vietat", "riservat", "vertrouwelijk", "poufn", "konfidenti"),
)
"""Parts of words that are frequent in companies' legal text."""

FOOT_PATTERN = (
    r"\W{0,3}(?:p )?(?:please |think ).{0,60}\benvironment\b"
    r"|\W{0,3}(?:p )?(?:please |kindly )?(?:consider|think|save|help) .{0,60}\b(?:planet|trees?|paper)\b.{0,60}\bprint"
    r"|\W{0,3}before (?:you )?print.{0,60}\b(?:environment|necessary)\b"
    r"|\W{0,3}please (?:do not|don't) print this (?:e-?mail|message)"
    r"|\W{0,3}(?:bitte |denken sie ).{0,60}\b(?:umwelt|ausgedruckt)\b"
    r"|\W{0,3}(?:пожалуйста,? )?(?:подумайте|позаботьтесь) .{0,30}(?:окружающ|природ|экологи|деревь)"
    r".{0,60}печат"
    r"|\W{0,3}(?:прежде чем|перед тем,? как) (?:рас|на)?печат.{0,80}(?:окружающ|природ|экологи|деревь)"
    r"|(?:this|the) (?:e-?mail|message)\b.{0,40} (?:scanned|checked|swept)\b"
    r".{0,60}\b(?:viruse?s?|malware|e-?mail security)\b"
    r"|no virus(?:es)? (?:\w{3,4} )?(?:found|detected) in this\b"
    r"|diese (?:e-?mail|nachricht) wurde .{0,60}\b(?:auf|nach) (?:viren|schadsoftware)\b"
    r"|keine viren (?:\w{5,9} )?gefunden\b"
    r"|(?:(?:это|данное) )?(?:(?:сообщение|письмо) )?(?:было )?проверено .{0,40}вирус|вирусов не (?:обнаружено|найдено)"
)
"""A pattern for other lines that companies and virus scanners put below letters, such as requests not to print the
letter."""


_ENOUGH, _BROKEN = 3, 3  # how many words identify the last line of our letter, and over how many lines it may be broken
_TAIL = 200  # how many characters from the end of our letter are enough to find its last words
_RUN, _INNER = 24, 60  # how many letters identify the beginning or end of our letter, and a piece in between


class _Place(NamedTuple):
    """The position of one character in a list of lines."""

    line: int
    column: int


def marked(lines: Sequence[str], sent: str) -> list[str]:
    """Return `lines`, the lines of an answer, with the parts that quote the letter `sent` marked as quotes.

    These parts may be joined into one line, broken at another width, or share lines with the writer's words. They are
    either the pieces of `sent` in order, from its beginning to its end, or only its end. Nothing is marked if that end
    is missing, because the writer may have copied a line from the middle, and a quote that was cut short may continue
    in other words.
    """
    unmarked = ((number, line) for number, line in enumerate(lines) if not line.startswith(">"))
    words = [(number, word) for number, line in unmarked for word in _WORD.finditer(line)]
    answer, ends = list(lines), [*accumulate(len(word[0]) for _, word in words)]

    def place(letter: int) -> _Place:
        at = bisect_right(ends, letter)
        number, word = words[at]
        return _Place(number, word.end() - (ends[at] - letter))

    for first, end in reversed(_runs("".join(word[0] for _, word in words), sent)):
        last = ends[bisect_right(ends, end) - 1]  # the last complete word
        if last > first:
            _mark(answer, place(first), place(last - 1))
    return answer


def without_lines(text: str, sent: str) -> str:
    """Return `text` without the lines that it shares with `sent`, a letter from the desk. Some programs quote without
    any mark."""
    ours = {" ".join(line.split()) for line in sent.splitlines()}
    return "\n".join(line for line in text.splitlines() if " ".join(line.split()) not in ours)


def added(lines: Sequence[str], ours: Sequence[str]) -> list[bool]:
    """Return, for each of `lines`, whether it is missing from `ours`, the texts of a letter from the desk. A line is
    not missing if a program merely broke it in other places.

    A short piece of a line counts as part of that letter only if, in the letter too, it follows the line above it or
    precedes the line below it.
    """
    pieces = ["".join(_WORD.findall(line)) for line in lines]
    whole = {piece for text in ours for piece in _letters(text)}
    joined = ["".join(_letters(text)) for text in ours]

    def has(piece: str) -> bool:
        return any(piece in text for text in joined)

    lacks: list[bool] = []
    for at, piece in enumerate(pieces):
        above = next(filter(None, reversed(pieces[max(0, at - _BROKEN) : at])), "")[-_RUN:]
        under = next(filter(None, pieces[at + 1 : at + 1 + _BROKEN]), "")[:_RUN]
        known = piece in whole or (len(piece) >= _RUN and has(piece))
        lacks.append(not (known or (above and has(above + piece)) or (under and has(piece + under))))
    return lacks


def below(lines: Sequence[str], sent: str) -> list[str]:
    """Return those of `lines` that are below the end of the quoted letter `sent`; an empty list if its end is not
    found.

    The last line of `sent`, or the end of that line, must be present, but it may be broken into several lines.
    """
    end = _words(next((line for line in reversed(normalise(sent)) if line), ""))
    for number in range(len(lines) - 1, -1, -1):
        if not (words := _words(lines[number])) or words != end[-len(words) :]:
            continue
        above = [word for line in lines[max(0, number - _BROKEN) : number] for word in _words(line)]
        if len(words) >= _ENOUGH or (above + words)[-min(len(end), _ENOUGH) :] == end[-_ENOUGH:]:
            return list(lines[number + 1 :])
    return []


def _letters(text: str) -> list[str]:
    """Return the letters and digits of each non-empty line of `text`, joined into one word per line."""
    return ["".join(_WORD.findall(line)) for line in normalise(text) if line]


def _words(line: str) -> list[str]:
    return _WORD.findall(line.lower())


def _runs(text: str, sent: str) -> list[tuple[int, int]]:
    """Return the start and end of each piece of the letter `sent` in `text`. Only letters and digits are compared, and
    `text` must not contain anything else.

    The pieces are either all pieces of the letter in order, beginning with its first line, or only its end. The result
    is empty if `text` does not contain the end of the letter.
    """
    if "".join(_letters(sent[-_TAIL:]))[-_RUN:] not in text:  # true of most answers, and quick to check
        return []
    first, *rest = _letters(sent) or [""]
    ours = first + "".join(rest)
    if len(ours) < _RUN or ours[-_RUN:] not in text:
        return []
    inner: dict[str, list[int]] = {}
    for at in range(len(ours) - _INNER + 1):
        inner.setdefault(ours[at : at + _INNER], []).append(at)
    heads = {ours[at : at + _RUN]: at for at in (len(first), 0)} | {ours[-_RUN:]: len(ours) - _RUN}
    runs: list[tuple[int, int]] = []
    at = done = 0
    while at <= len(text) - _RUN:
        start = heads.get(text[at : at + _RUN], -1)
        if 0 <= start < done < len(ours):  # the earlier match was only similar: orders that our letter repeats
            runs, done = [], 0
        elif start < done:  # the beginning has already been found
            starts = inner.get(text[at : at + _INNER], [])
            start = next(iter(starts[bisect_left(starts, done) :]), -1) if done else -1
        if start < 0:
            at += 1
            continue
        end = at
        while end < len(text) and start < len(ours) and text[end] == ours[start]:
            end, start = end + 1, start + 1
        if not done and end - at < _INNER and start < len(ours):  # the writer's own words may begin the same way
            at += 1
            continue
        runs.append((at, end))
        at, done = end, start
    return runs if done == len(ours) else []


def _mark(lines: list[str], first: _Place, last: _Place) -> None:
    """Mark everything in `lines` between two places as a quote, together with any ruled lines below it.

    Other text on the first and the last line is moved to lines of its own.
    """
    before = _SIGNS_BEFORE.sub("", lines[first.line][: first.column])
    after = _SIGNS_AFTER.sub("", lines[last.line][last.column + 1 :])
    end = last.line + 1
    while not after and end < len(lines) and lines[end] and not _WORD.search(lines[end]):
        end += 1
    inside = lines[first.line : end]
    inside[0] = inside[0][len(before) :]
    inside[-1] = inside[-1].removesuffix(after)
    quoted = [line if line.startswith(">") else f"> {line}" for line in inside]
    lines[first.line : end] = [*_some(before), *quoted, *_some(after)]


def _some(text: str) -> list[str]:
    return [text.strip()] if text.strip(" >") else []


_WORD = re.compile(r"\w+")
_SIGNS_BEFORE = re.compile(r"[^\w\s:.!?,;]*[ =|+-]*$")
_SIGNS_AFTER = re.compile(r"^[^\w\s]*(?: +[=|+-]+)*")
