"""Answers as mail programs write them, in many languages: the text that they put around a person's words and the
quote.
"""

from collections.abc import Sequence
from html import escape

DESK = "Ozymandia Desk <desk+k3f9@example.org>"
ATTRIBUTIONS = {
    "Gmail en": f"On Sat, Nov 21, 2026 at 8:59\u202fPM {DESK} wrote:",
    "Gmail de": f"Am Sa., 21. Nov. 2026 um 20:59\xa0Uhr schrieb {DESK}:",
    "Gmail phone de": f"{DESK} schrieb am Sa., 21. Nov. 2026, 20:59:",
    "Gmail fr": f"Le\xa0sam. 21 nov. 2026 à\xa020:59, {DESK} a écrit\xa0:",
    "Gmail es": "El sáb, 21 nov 2026 a las 20:59, Ozymandia Desk (<desk+k3f9@example.org>) escribió:",
    "Gmail it": f"Il giorno sab 21 nov 2026 alle ore 20:59 {DESK} ha scritto:",
    "Gmail pt": f"Em sáb., 21 de nov. de 2026 às 20:59, {DESK} escreveu:",
    "Gmail nl": f"Op za 21 nov 2026 om 20:59 schreef {DESK}:",
    "Gmail pl": f"sob., 21 lis 2026 o 20:59 {DESK} napisał(a):",
    "Gmail sv": f"Den lör 21 nov. 2026 kl 20:59 skrev {DESK}:",
    "Gmail da": f"Den lør. 21. nov. 2026 kl. 20.59 skrev {DESK}:",
    "Gmail no": f"lør. 21. nov. 2026 kl. 20:59 skrev {DESK}:",
    "Gmail ru": f"сб, 21 нояб. 2026\u202fг. в 20:59, {DESK}:",
    "Gmail ja": f"2026年11月21日(土) 20:59 {DESK}:",
    "Gmail zh": f"{DESK} 于2026年11月21日周六 20:59写道：",
    "Gmail tr": f"{DESK}, 21 Kas 2026 Cmt, 20:59 tarihinde şunu yazdı:",
    "Gmail fi": f"la 21. marrask. 2026 klo 20.59 {DESK} kirjoitti:",
    "Gmail cs": f"so 21. 11. 2026 v 20:59 odesílatel {DESK} napsal:",
    "Apple Mail en": f"On 21 Nov 2026, at 20:59, {DESK} wrote:",
    "Apple Mail de": f"Am 21.11.2026 um 20:59 schrieb {DESK}:",
    "Apple Mail fr": f"Le 21 nov. 2026 à 20:59, {DESK} a écrit :",
    "Apple Mail es": f"El 21 nov 2026, a las 20:59, {DESK} escribió:",
    "Apple Mail it": f"Il giorno 21 nov 2026, alle ore 20:59, {DESK} ha scritto:",
    "Apple Mail nl": f"Op 21 nov. 2026, om 20:59 heeft {DESK} het volgende geschreven:",
    "Apple Mail pl": f"Wiadomość napisana przez {DESK} w dniu 21 lis 2026, o godz. 20:59:",
    "Apple Mail da": f"Den 21. nov. 2026 kl. 20.59 skrev {DESK}:",
    "Apple Mail ja": f"2026/11/21 20:59、{DESK}のメール：",
    "Apple Mail zh": f"2026年11月21日 20:59，{DESK} 写道：",
    "iPhone en": f"On Nov 21, 2026, at 8:59\u202fPM, {DESK} wrote:",
    "iPhone ru": f"21 нояб. 2026 г., в 20:59, {DESK} написал(а):",
    "Thunderbird en": "On 11/21/26 8:59 PM, Ozymandia Desk wrote:",
    "Thunderbird de": "Am 21.11.26 um 20:59 schrieb Ozymandia Desk:",
    "Thunderbird fr": "Le 21/11/2026 à 20:59, Ozymandia Desk a écrit :",
    "Thunderbird es": "El 21/11/26 a las 20:59, Ozymandia Desk escribió:",
    "Thunderbird it": "Il 21/11/26 20:59, Ozymandia Desk ha scritto:",
    "Thunderbird pt": "Em 21/11/2026 20:59, Ozymandia Desk escreveu:",
    "Thunderbird nl": "Op 21-11-2026 om 20:59 schreef Ozymandia Desk:",
    "Thunderbird pl": "W dniu 21.11.2026 o 20:59, Ozymandia Desk pisze:",
    "Thunderbird sv": "Den 2026-11-21 kl. 20:59, skrev Ozymandia Desk:",
    "Thunderbird ru": "21.11.2026 20:59, Ozymandia Desk пишет:",
    "Thunderbird ja": "On 2026/11/21 20:59, Ozymandia Desk wrote:",
    "Yahoo": "On Saturday, November 21, 2026 at 08:59:00 PM GMT+1, " + DESK + " wrote:",
    "Proton": f"On Saturday, November 21st, 2026 at 8:59 PM, {DESK} wrote:",
    "Proton de": f"Am Samstag, 21. November 2026 um 20:59 schrieb {DESK}:",
    "mail.ru": f"Суббота, 21 ноября 2026, 20:59 +03:00 от {DESK}:",
    "Yandex": '21.11.2026, 20:59, "Ozymandia Desk" <desk+k3f9@example.org>:',
    "163.com": '在 2026-11-21 20:59:00，"Ozymandia Desk" <desk+k3f9@example.org> 写道：',
    "mutt": "On Sat, Nov 21, 2026 at 08:59:00PM +0000, Ozymandia Desk wrote:",
    "Emacs": "On Sat, Nov 21 2026, Ozymandia Desk wrote:",
    "Spark": "On 21 Nov 2026, 20:59 +0100, " + DESK + ", wrote:",
    "K-9": f"Am 21. November 2026 20:59:00 MEZ schrieb {DESK}:",
    "Zoho": f"---- On Sat, 21 Nov 2026 20:59:00 +0100 {DESK} wrote ----",
    "Notes": "Ozymandia Desk <desk+k3f9@example.org> wrote on 11/21/2026 08:59:00 PM:",
    "Gmail ko": f"2026년 11월 21일 (토) 오후 8:59, {DESK}님이 작성:",
    "Gmail el": f"Στις Σάβ 21 Νοε 2026 στις 8:59 μ.μ., ο/η {DESK} έγραψε:",
    "Gmail hu": f"{DESK} ezt írta (időpont: 2026. nov. 21., Szo, 20:59):",
    "Gmail ro": f"În sâm., 21 nov. 2026 la 20:59, {DESK} a scris:",
    "Gmail uk": f"сб, 21 лист. 2026 р. о 20:59 {DESK} пише:",
    "Gmail bg": f"На сб, 21.11.2026 г. в 20:59 {DESK} написа:",
    "Gmail sk": f"so 21. 11. 2026 o 20:59 {DESK} napísal(a):",
    "Gmail zh-tw": f"{DESK} 於 2026年11月21日週六 下午8:59寫道：",
    "Gmail ar": f"في السبت، 21 نوفمبر 2026 في 8:59 م تمت كتابة ما يلي بواسطة {DESK}:",
    "Gmail vi": f"Vào Th 7, 21 thg 11, 2026 vào lúc 20:59 {DESK} đã viết:",
    "Gmail phone tr": f"21 Kas 2026 Cmt 20:59 tarihinde {DESK} şunu yazdı:",
    "Apple Mail tr": f"{DESK} şunları yazdı (21 Kas 2026 20:59):",
    "Apple Mail fi": f"{DESK} kirjoitti 21.11.2026 kello 20.59:",
    "Apple Mail cs": f"21. 11. 2026 v 20:59, {DESK}:",
    "Apple Mail pt": f"No dia 21/11/2026, às 20:59, {DESK} escreveu:",
    "Thunderbird cs": "Dne 21. 11. 26 v 20:59 Ozymandia Desk napsal(a):",
    "Thunderbird fi": "Ozymandia Desk kirjoitti 21.11.2026 klo 20.59:",
    "Thunderbird tr": "21.11.2026 20:59 tarihinde Ozymandia Desk yazdı:",
    "Roundcube": "On 2026-11-21 20:59, Ozymandia Desk wrote:",
    "Roundcube ru": "Ozymandia Desk писал 2026-11-21 20:59:",
    "T-Online": 'Am 21.11.2026 um 20:59 schrieb "Ozymandia Desk" <desk+k3f9@example.org>:',
    "Evolution": "On Sat, 2026-11-21 at 20:59 +0100, Ozymandia Desk wrote:",
    "Evolution de": "Am Samstag, dem 21.11.2026 um 20:59 +0100 schrieb Ozymandia Desk:",
    "KMail": "On Saturday, 21 November 2026 20:59:00 CET Ozymandia Desk wrote:",
    "Claws": f"On Sat, 21 Nov 2026 20:59:00 +0100\n{DESK} wrote:",
    "Opera": f"On Sat, 21 Nov 2026 20:59:00 +0100, {DESK} wrote:",
    "FairEmail": f"On November 21, 2026 8:59:00 PM GMT+01:00, {DESK} wrote:",
    "Fastmail": "On Sat, 21 Nov 2026, at 8:59 PM, Ozymandia Desk wrote:",
    "HEY": f"On November 21, 2026, {DESK} wrote:",
    "Open-Xchange": "Ozymandia Desk <desk+k3f9@example.org> hat am 21.11.2026 20:59 CET geschrieben:",
    "Onet": "Dnia 2026-11-21 20:59:00 użytkownik Ozymandia Desk <desk+k3f9@example.org> napisał:",
    "Gmail of 2013": "2026/11/21 Ozymandia Desk <desk+k3f9@example.org>",
    "Airmail": "On 21 November 2026 at 20:59:00, Ozymandia Desk (desk+k3f9@example.org) wrote:",
    "Tuta": "Nov 21, 2026, 20:59 by desk+k3f9@example.org:",
    "mail.ru phone": "суббота, 21 ноября 2026г., 20:59 +03:00 от Ozymandia Desk desk+k3f9@example.org:",
    "Horde de": f"Zitat von {DESK}:",
    "KMail it": "In data sabato 21 novembre 2026 20:59:00 CET, Ozymandia Desk ha scritto:",
    "Zimbra fr": "----- Le 21 Nov 26, à 20:59, Ozymandia Desk desk+k3f9@example.org a écrit :",
    "Zoho phone": "----- On Sat, 21 Nov 2026 20:59:00 +0100 Ozymandia Desk wrote -----",
    "Gmail he": "בתאריך שבת, 21 בנוב׳ 2026 ב-20:59 מאת \u202aOzymandia Desk\u202c <desk+k3f9@example.org>:",
    "Apple Mail ar": "في ٢١ نوفمبر ٢٠٢٦، الساعة ٨:٥٩ م، كتب/كتبت Ozymandia Desk <desk+k3f9@example.org>:",
    "Thunderbird ar": "في 21/11/26 8:59 م، كتب Ozymandia Desk:",
    "Thunderbird he": "בתאריך 21/11/2026 בשעה 20:59, Ozymandia Desk כתב:",
    "Thunderbird ko": "2026-11-21 오후 8:59에 Ozymandia Desk 이(가) 쓴 글:",
    "Thunderbird zh-tw": "於 2026/11/21 20:59, Ozymandia Desk 提到:",
    "Thunderbird ca": "El 21/11/26 a les 20:59, Ozymandia Desk ha escrit:",
    "Thunderbird sl": "Oseba Ozymandia Desk je dne 21. 11. 2026 ob 20:59 napisala:",
    "Thunderbird hr": "Dana 21. 11. 2026. u 20:59, Ozymandia Desk je napisao/la:",
    "Thunderbird et": "Ozymandia Desk kirjutas 21.11.2026 kell 20:59:",
    "Thunderbird lt": "2026-11-21 20:59, Ozymandia Desk rašė:",
    "Thunderbird is": "Þann 21.11.2026 20:59, skrifaði Ozymandia Desk:",
    "Thunderbird id": "Pada 21/11/26 20.59, Ozymandia Desk menulis:",
    "RainLoop": 'November 21, 2026 8:59 PM, "Ozymandia Desk" <desk+k3f9@example.org> wrote:',
}
"""The introductions of quotes, by program and language."""

HEADER_BLOCKS = {
    "Outlook en": f"From: {DESK}\nSent: Saturday, November 21, 2026 8:59 PM\nTo: Alice\nSubject: Turn 7",
    "Outlook de": f"Von: {DESK}\nGesendet: Samstag, 21. November 2026 20:59\nAn: Alice\nBetreff: Turn 7",
    "Outlook fr": f"De : {DESK}\nEnvoyé : samedi 21 novembre 2026 20:59\nÀ : Alice\nObjet : Turn 7",
    "Outlook es": f"De: {DESK}\nEnviado el: sábado, 21 de noviembre de 2026\nPara: Alice\nAsunto: Turn 7",
    "Outlook it": f"Da: {DESK}\nInviato: sabato 21 novembre 2026 20:59\nA: Alice\nOggetto: Turn 7",
    "Outlook pt": f"De: {DESK}\nEnviada em: sábado, 21 de novembro de 2026\nPara: Alice\nAssunto: Turn 7",
    "Outlook nl": f"Van: {DESK}\nVerzonden: zaterdag 21 november 2026\nAan: Alice\nOnderwerp: Turn 7",
    "Outlook pl": f"Od: {DESK}\nWysłano: sobota, 21 listopada 2026\nDo: Alice\nTemat: Turn 7",
    "Outlook sv": f"Från: {DESK}\nSkickat: den 21 november 2026 20:59\nTill: Alice\nÄmne: Turn 7",
    "Outlook da": f"Fra: {DESK}\nSendt: 21. november 2026 20:59\nTil: Alice\nEmne: Turn 7",
    "Outlook ru": f"От: {DESK}\nОтправлено: 21 ноября 2026 г. 20:59\nКому: Alice\nТема: Turn 7",
    "Outlook ja": f"差出人: {DESK}\n送信日時: 2026年11月21日 20:59\n宛先: Alice\n件名: Turn 7",
    "Outlook zh": f"发件人： {DESK}\n发送时间： 2026年11月21日 20:59\n收件人： Alice\n主题： Turn 7",
    "Outlook bold": f"*From:* {DESK}\n*Sent:* Saturday, November 21, 2026\n*To:* Alice\n*Subject:* Turn 7",
    "GMX": f"Gesendet: Samstag, 21. November 2026 um 20:59 Uhr\nVon: {DESK}\nAn: alice@example.net\nBetreff: Turn",
    "Samsung": f"-------- Original message --------\nFrom: {DESK}\nDate: 21/11/2026 20:59 (GMT+01:00)\nTo: Alice",
    "Samsung de": f"-------- Ursprüngliche Nachricht --------\nVon: {DESK}\nDatum: 21.11.26 20:59\nAn: Alice",
    "Outlook 2003": f"-----Original Message-----\nFrom: {DESK}\nSent: Saturday\nTo: Alice\nSubject: Turn 7",
    "Outlook 365": f"{'_' * 32}\nFrom: {DESK}\nSent: Saturday, November 21, 2026\nTo: Alice\nSubject: Turn 7",
    "QQ": f"------------------ 原始邮件 ------------------\n发件人: {DESK}\n发送时间: 2026年11月21日\n主题: Turn 7",
    "Zimbra": f"----- Mail original -----\nDe: {DESK}\nÀ: Alice\nEnvoyé: Samedi 21 Novembre 2026\nObjet: Turn 7",
    "Forward": f"---------- Forwarded message ---------\nFrom: {DESK}\nDate: Sat, Nov 21, 2026\nSubject: Turn 7",
    "Notes": "Ozymandia Desk\n11/21/2026 08:59 PM\nTo: Alice\ncc: \nSubject: Turn 7",
    "Notes, one line": "Ozymandia Desk/HOU@ECT on 11/21/2026 08:59:00 PM\nTo: Alice/HOU@ECT\nSubject: Turn 7",
    "Apple forward": f"Begin forwarded message:\n\nFrom: {DESK}\nSubject: Turn 7\nDate: 21 November 2026",
    "Outlook tr": f"Kimden: {DESK}\nGönderildi: 21 Kasım 2026 Cumartesi 20:59\nKime: Alice\nKonu: Turn 7",
    "Outlook cs": f"Od: {DESK}\nOdesláno: sobota 21. listopadu 2026 20:59\nKomu: Alice\nPředmět: Turn 7",
    "Outlook hu": f"Feladó: {DESK}\nElküldve: 2026. november 21., szombat\nCímzett: Alice\nTárgy: Turn 7",
    "Outlook fi": f"Lähettäjä: {DESK}\nLähetetty: lauantai 21. marraskuuta\nVastaanottaja: Alice\nAihe: Turn 7",
    "Outlook el": f"Από: {DESK}\nΣτάλθηκε: Σάββατο, 21 Νοεμβρίου 2026\nΠρος: Alice\nΘέμα: Turn 7",
    "Outlook ko": f"보낸 사람: {DESK}\n보낸 날짜: 2026년 11월 21일\n받는 사람: Alice\n제목: Turn 7",
    "Outlook he": f"מאת: {DESK}\nנשלח: יום שבת 21 נובמבר 2026 20:59\nאל: Alice\nנושא: Turn 7",
    "Outlook in a language nobody knows": f"Zan: {DESK}\nTik rem: 21 dol 2026 20:59\nUx: Alice\nVo: Turn 7",
    "Zimbra de": f"----- Ursprüngliche Mail -----\nVon: {DESK}\nAn: Alice\nGesendet: Samstag\nBetreff: Turn 7",
    "T-Online": f"-----Original-Nachricht-----\nBetreff: Turn 7\nDatum: 2026-11-21T20:59\nVon: {DESK}\nAn: Alice",
    "QQ en": f"------------------ Original ------------------\nFrom: {DESK};\nDate: Sat, Nov 21\nSubject: Turn 7",
    "NetEase phone": f"---- 回复的原邮件 ----\n| 发件人 | {DESK} |\n| 日期 | 2026年11月21日 |\n| 主题 | Turn 7 |",
    "eM Client": f"------ Original Message ------\nFrom {DESK}\nTo Alice\nDate 21/11/2026 20:59:00\nSubject Turn 7",
    "Seznam": f"---------- Původní e-mail ----------\nOd: {DESK}\nKomu: Alice\nDatum: 21. 11.\nPředmět: Turn 7",
    "BlackBerry": f"-----Original Message-----\nFrom: {DESK}\nDate: Sat, 21 Nov 2026\nTo: Alice\nSubject: Turn 7",
    "Samsung ko": f"--------- 원본 이메일 ---------\n발신: {DESK}\n날짜: 2026. 11. 21. 20:59\n제목: Turn 7",
    "QQ of 2024": f"原始邮件\n\n\n\n发件人：{DESK}\n\n发件时间：2026年11月21日 20:59\n\n主题：Turn 7",
    "QQ, escaped": '---Original---\nFrom: "Desk"&lt;desk@example.org&gt;\nDate: Nov 21\nSubject:&nbsp;x',
    "Aliyun": f"{'-' * 40}\n发件人：{DESK}\n发送时间：2026年11月21日 20:59\n主\u3000题：Turn 7",
    "GroupWise": f">>> {DESK} 11/21/2026 8:59 PM >>>",
}
"""The headers that other programs put above a letter that they quote without marks."""


def marked(text: str, mark: str = ">") -> str:
    """A text as it is quoted in plain-text letters."""
    return "\n".join(f"{mark} {line}".rstrip() for line in text.split("\n"))


def html_replies(own: Sequence[str], quote: str) -> dict[str, str]:
    """Answers in HTML by program; `own` are the writer's lines, `quote` is the page that they answer."""
    own_breaks = "<br>".join(map(escape, own))
    own_divs = "".join(f"<div>{escape(line)}</div>" for line in own)
    own_word = "".join(f"<p class=MsoNormal>{escape(line)}<o:p></o:p></p>" for line in own)
    who = escape(ATTRIBUTIONS["Gmail en"])
    block = escape(HEADER_BLOCKS["Outlook en"]).replace("\n", "<br>")
    return {
        "Gmail": f'<div dir="ltr">{own_breaks}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f'{who}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">{quote}</blockquote></div>',
        "Gmail in a language nobody knows": f'<div dir="ltr">{own_breaks}</div><div class="gmail_quote"><div '
        f'class="gmail_attr">Vrut zond<br></div><blockquote class="gmail_quote">{quote}</blockquote></div>',
        "Gmail between": f'<div class="gmail_quote"><div class="gmail_attr">{who}</div><blockquote class="gmail_quote">'
        f"{quote}</blockquote>{own_divs}<blockquote class='gmail_quote'>{quote}</blockquote></div>",
        "Gmail signature": f'<div dir="ltr">{own_divs}<div>-- <br></div><div class="gmail_signature">9 Q to Z</div>'
        f'</div><div class="gmail_quote"><div class="gmail_attr">{who}</div><blockquote>{quote}</blockquote></div>',
        "Front signature": f'<div>{own_divs}</div><div class="front-signature">9 Q to Z</div>',
        "Spark signature": f'<div>{own_divs}</div><div name="bloop_sign"><div class="bloop_sign">9 Q to Z</div></div>',
        "Outlook Word": f"<html xmlns:o='x'><head><style>p {{}}</style></head><body><div class=WordSection1>{own_word}"
        "<p class=MsoNormal><o:p>&nbsp;</o:p></p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt;"
        f"padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal>{block}</p></div></div><p>{quote}</p></div></body></html>",
        "Outlook Word in a language nobody knows": f"<body>{own_word}<div><div style='border:none;border-top:solid "
        f"#B5C4DF 1.0pt;padding:3.0pt 0in 0in 0in'><p><b>Zan:</b> Desk</p></div></div><p>{quote}</p></body>",
        "Outlook 365": f'<div class="elementToProof">{own_breaks}</div><div id="appendonsend"></div><hr tabindex="-1">'
        f'<div id="divRplyFwdMsg"><font face="Calibri"><b>Zan:</b> Desk</font></div><div>{quote}</div>',
        "Outlook phone": f'<div dir="ltr">{own_divs}</div><div id="ms-outlook-mobile-signature">Get <a>Outlook for iOS'
        f'</a></div><hr><div id="x_divRplyFwdMsg">{block}</div><div>{quote}</div>',
        "Apple Mail": f'<body style="x">{own_divs}<div><br><blockquote type="cite"><div>{who}</div><br><div>{quote}'
        "</div></blockquote></div><br></body>",
        "iPhone": f'{own_divs}<br><div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br><blockquote type="cite">'
        f"{who}<br><br></blockquote></div><blockquote type='cite'><div>{quote}</div></blockquote>",
        "Thunderbird": f'<p>{own_breaks}</p><div class="moz-cite-prefix">{who}<br></div><blockquote type="cite"><pre '
        f'class="moz-quote-pre">{quote}</pre></blockquote><pre class="moz-signature">-- \n9 Q to Z</pre>',
        "Yahoo": f'<div class="ydp1yahoo-style-wrap">{own_divs}</div><div id="ydp2yahoo_quoted_1" '
        f'class="yahoo_quoted"><div>{who}</div><div>{quote}</div></div>',
        "Samsung": f'<div dir="auto">{own_breaks}</div><div id="composer_signature">9 Q to Z</div><div align="left">'
        f"-------- Original message --------</div><div>From: {escape(DESK)} </div><div>Date: 21/11/2026  20:59 </div>"
        f"<div>To: Alice </div><div>Subject: Turn 7 </div><div>{quote}</div>",
        "Proton": f'<div style="font-family: Arial">{own_breaks}</div><div class="protonmail_signature_block">Sent '
        f'with Proton</div><div class="protonmail_quote">{who}<br><blockquote class="x" type="cite">{quote}'
        "</blockquote><br></div>",
        "GMX": f'<div>{own_breaks}</div><div name="quote" style="margin:10px"><div><b>Gesendet:</b> Samstag</div>'
        f'<div name="quoted-content">{quote}</div></div>',
        "Zimbra": f'<div>{own_breaks}<br></div><hr id="zwchr" data-marker="__DIVIDER__"><div>'
        f'{block}</div><br><div data-marker="__QUOTED_TEXT__">{quote}</div>',
        "Roundcube": f'<p>{own_breaks}</p><p id="reply-intro">{who}</p><blockquote type="cite" style="margin: 0">'
        f"{quote}</blockquote>",
        "Spark": f'<div name="messageBodySection"><div dir="auto">{own_breaks}</div></div><div '
        f'name="messageReplySection">{who}<br><blockquote type="cite">{quote}</blockquote></div>',
        "Tutanota": f"{own_divs}<br><div>--<br>Secured with Tuta Mail:</div><br><div>21 Nov 2026, 20:59 by "
        f'desk@example.org:<br></div><blockquote class="tutanota_quote">{quote}</blockquote>',
        "Outlook phone of 2024": f'<div>{own_divs}</div><div id="mail-editor-reference-message-container" class="'
        f'ms-outlook-mobile-reference-message skipProofing"><b>Zan:</b> Desk</div><div>{quote}</div>',
        "Outlook quoted twice": f'<div>{own_divs}</div><hr><div id="x_x_divRplyFwdMsg"><b>Zan:</b> Desk</div>{quote}',
        "BlackBerry": f'{own_divs}<div style="border-style: solid none none; border-top-color: rgb(1, 2, 3); '
        f'border-top-width: 1pt"><b>Zan:</b> Desk</div><div id="_originalContent">{quote}</div>',
        "Gmail forward": f'<div>{own_divs}</div><div class="gmail_quote"><div class="gmail_attr">- Vrut -</div>'
        f"{quote}</div>",
        "Thunderbird forward": f'<p>{own_breaks}</p><div class="moz-forward-container">- Vrut -<br>{quote}</div>',
        "Yahoo, marked anew": f'<div class="ydp1a2byahoo-style-wrap">{own_divs}</div><div id="ydp3c4dyahoo_quoted_77" '
        f'class="ydp3c4dyahoo_quoted"><div>Vrut zond</div>{quote}</div>',
        "Superhuman": f'<div>{own_divs}<div class="sh-signature">9 Q to Z</div></div><div class="gmail_quote">Vrut zond'
        f'<br><blockquote class="gmail_quote">{quote}</blockquote></div>',
        "Missive below": f'<div class="missive_quote">Vrut zond<blockquote>{quote}</blockquote>{own_divs}</div>',
        "Spark without lines beside it": f'<div name="messageBodySection">{own_divs}</div><div name='
        f'"messageSignatureSection">9 Q to Z</div><div name="messageReplySection">Vrut zond<div>{quote}</div></div>',
        "mail.ru signature": f'{own_divs}<div data-signature-widget="container"><div>9 Q to Z</div></div>',
        "Zimbra in a language nobody knows": f'{own_divs}<hr id="zwchr"><div data-marker="__HEADERS__">Zan: Desk</div>'
        f'<div data-marker="__QUOTED_TEXT__">{quote}</div>',
        "GMX phone": f'{own_divs}<div id="mail-app-auto-quote"><div>Vrut zond</div>{quote}</div>',
        "QQ of 2025": f'{own_divs}<div class="xm_mail_oringinal_describe">Vrut zond</div><div id="original-content">'
        f"{quote}</div>",
        "Struck out": f"{own_divs}<s>9 Q to Z</s><div style='text-decoration: line-through'>8 Q to Z</div>",
        "GroupWise": f'<div class="GroupWiseMessageBody"><div>{own_breaks}</div><span class="GroupwiseReplyHeader">'
        f"&gt;&gt;&gt; {escape(DESK)} 11/21/2026 8:59 PM &gt;&gt;&gt;<br></span>{quote}</div>",
        "Notes": f"<font size=2>{own_breaks}</font><br><br><table><tr><td>From: </td><td>{escape(DESK)}</td></tr><tr>"
        f"<td>To: </td><td>Alice</td></tr><tr><td>Subject: </td><td>Turn 7</td></tr></table><hr noshade>{quote}",
        "NetEase phone": f"<div>{own_breaks}</div><div>---- 回复的原邮件 ----</div><table><tr><td>发件人</td>"
        f"<td>Desk</td></tr><tr><td>日期</td><td>2026</td></tr><tr><td>主题</td><td>Turn 7</td></tr></table>{quote}",
        "QQ": f"<div>{own_breaks}</div><div>------------------&nbsp;原始邮件&nbsp;------------------</div><div><div><b>"
        f"发件人:</b>&nbsp;Desk;</div><div><b>主题:</b>&nbsp;Turn 7</div></div><div>{quote}</div>",
        "Yandex": f'<div>{own_breaks}</div><div> </div><div>21.11.2026, 20:59, "Desk" &lt;desk@example.org&gt;:</div>'
        f"<blockquote>{quote}</blockquote>",
        "mail.ru": f"<HTML><BODY>{own_divs}<div>&nbsp;</div><blockquote style='border-left:1px solid #0857A6;'>"
        f"Суббота, 21 ноября 2026, 20:59 +03:00 от Desk:<br><div>{quote}</div></blockquote></BODY></HTML>",
    }
