/** Sentences in the languages of legacy charsets, written for these tests. */

/** By language: a few words, a sentence, a paragraph. */
export const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  fr: [
    'Café à Noël',
    'Où sont les clés de la voiture ? Je les ai laissées près de la fenêtre.',
    "Le comité s'est réuni à Genève. Après un débat très animé, les délégués ont adopté une résolution sur " +
      "la qualité de l'air, malgré l'opposition de certains pays. La prochaine séance aura lieu à l'été.",
  ],
  de: [
    'Grüße aus Köln',
    'Die Straße über den Fluß ist wegen Bauarbeiten für zwei Wochen gesperrt.',
    'Sehr geehrte Damen und Herren, für die Übersendung der Unterlagen möchten wir uns herzlich bedanken. ' +
      'Die Prüfung dürfte etwa drei Wochen dauern. Bei Rückfragen können Sie uns jederzeit erreichen. ' +
      'Mit freundlichen Grüßen',
  ],
  es: [
    'Mañana por la mañana',
    '¿Qué pasó ayer en la reunión? Nadie me avisó de que también venía el señor Núñez.',
    'El niño comió piña en el jardín mientras su mamá leía un periódico. ' +
      'Según la previsión, mañana lloverá en toda la región, así que quizá sea mejor quedarse en casa.',
  ],
  pt: [
    'Não há pão',
    'A reunião começa às dez; não se esqueçam dos relatórios e das cópias em papel.',
    'As eleições realizaram-se no domingo e a participação foi superior à de há quatro anos. ' +
      'Os órgãos de comunicação social já divulgaram as projeções.',
  ],
  it: [
    'Perché no?',
    "La città è più bella di sera, perché le luci si riflettono sull'acqua del fiume.",
    'Già da qualche anno la qualità della vita è migliorata; ' +
      "però c'è ancora molto da fare, soprattutto nelle periferie, dove i servizi non arrivano più con " +
      'regolarità.',
  ],
  da: [
    'Tak for gæstfriheden',
    'Vi mødes på torsdag klokken ni ved søen; husk at tage madpakke og varmt tøj på.',
    'Ordføreren oplyste, at arbejdet på den nye bro først går i gang til næste år. ' +
      'Beboerne på øen må således klare sig med færgen endnu en vinter.',
  ],
  sv: [
    'Räksmörgås på ön',
    'Vi träffas på lördag klockan nio vid sjön; glöm inte att ta med varma kläder.',
    'Regeringen föreslår att skatten på el sänks från årsskiftet. ' +
      'Oppositionen är kritisk och menar att förslaget gynnar dem som redan har det bra ställt.',
  ],
  fi: [
    'Hyvää yötä',
    'Tänään sää on kaunis, mutta illalla tulee sadetta ja lämpötila laskee lähelle nollaa.',
    'Kokous päätettiin siirtää ensi viikolle, koska kaikki jäsenet eivät päässeet paikalle. ' +
      'Pöytäkirja lähetetään sähköpostitse ennen seuraavaa kokousta.',
  ],
  is: [
    'Góðan daginn',
    'Það er gott veður í dag, en á morgun má búast við rigningu víða á landinu.',
    'Þingið samþykkti í gær ný lög um fiskveiðar. ' +
      'Ráðherra sagði að þau myndu styrkja byggðir við sjóinn og tryggja að arðurinn skilaði sér til ' +
      'þjóðarinnar.',
  ],
  pl: [
    'Zażółć gęślą jaźń',
    'Proszę przesłać mi dokumenty do piątku, bo w poniedziałek wyjeżdżam na urlop.',
    'Szanowni Państwo, dziękujemy za przesłane zgłoszenie. ' +
      'Odpowiedź otrzymają Państwo w ciągu dwóch tygodni. ' +
      'W razie pytań prosimy o kontakt telefoniczny pod wskazanym niżej numerem.',
  ],
  cs: [
    'Příliš žluťoučký kůň',
    'Dobrý den, prosím o zaslání faktury na uvedenou adresu do konce měsíce.',
    'Vláda včera schválila návrh zákona o podpoře bydlení. ' +
      'Opozice jej kritizuje a tvrdí, že peníze se nedostanou k těm, kteří je nejvíce potřebují.',
  ],
  hu: [
    'Árvíztűrő tükörfúrógép',
    'Kérem, küldje el a szükséges dokumentumokat péntekig, mert hétfőn szabadságra megyek.',
    'A képviselő-testület tegnap este elfogadta a jövő évi költségvetést. ' +
      'Az ülésen többen is felszólaltak, és azt kérték, hogy több pénz jusson az utak felújítására.',
  ],
  ro: [
    'Bună ziua',
    'Vă rog să-mi trimiteţi documentele până vineri, fiindcă luni plec în vacanţă.',
    'Guvernul a aprobat ieri proiectul de lege privind locuinţele. ' +
      'Opoziţia îl critică şi susţine că banii nu vor ajunge la cei care au cea mai mare nevoie.',
  ],
  hr: [
    'Dobro jutro, kćeri',
    'Molim vas pošaljite dokumente do petka jer u ponedjeljak odlazim na godišnji odmor.',
    'Vlada je jučer prihvatila prijedlog zakona o stanovanju. ' +
      'Oporba ga kritizira i tvrdi da novac neće doći do onih kojima je najpotrebniji, osobito u manjim ' +
      'mjestima.',
  ],
  ru: [
    'Привет',
    'Встреча переносится на понедельник, просьба подтвердить участие до пятницы.',
    'Уважаемые коллеги! Напоминаем, что завтра в десять часов состоится совещание. ' +
      'Просим вас подготовить отчёты и прислать их секретарю до конца рабочего дня.',
  ],
  uk: [
    'Привіт, світе',
    "Зустріч перенесено на понеділок, просимо підтвердити участь до п'ятниці.",
    'Шановні колеги! Нагадуємо, що завтра о десятій годині відбудеться нарада. ' +
      'Просимо підготувати звіти й надіслати їх секретареві до кінця дня.',
  ],
  bg: [
    'Добър ден',
    'Срещата се отлага за понеделник, моля потвърдете участието си до петък.',
    'Уважаеми колеги, напомняме ви, че утре в десет часа ще се проведе съвещание. ' +
      'Молим да подготвите отчетите си и да ги изпратите до края на деня.',
  ],
  el: [
    'Καλημέρα',
    'Η συνάντηση μεταφέρεται για τη Δευτέρα, παρακαλώ επιβεβαιώστε τη συμμετοχή σας.',
    'Αγαπητοί συνάδελφοι, σας υπενθυμίζουμε ότι αύριο στις δέκα θα γίνει σύσκεψη. ' +
      'Παρακαλούμε να ετοιμάσετε τις εκθέσεις σας και να τις στείλετε έως το βράδυ.',
  ],
  he: [
    'שלום עולם',
    'הפגישה נדחתה ליום שני, נא לאשר את השתתפותכם עד יום שישי.',
    'עמיתים יקרים, אנו מזכירים לכם כי מחר בשעה עשר תתקיים ישיבה. ' +
      'נבקשכם להכין את הדוחות ולשלוח אותם למזכירה עד סוף היום.',
  ],
  ar: [
    'مرحبا بكم',
    'تم تأجيل الاجتماع إلى يوم الاثنين، يرجى تأكيد الحضور قبل يوم الجمعة.',
    'الزملاء الأعزاء، نذكركم بأن الاجتماع سيعقد غدا في الساعة العاشرة. ' +
      'نرجو منكم إعداد التقارير وإرسالها إلى السكرتيرة قبل نهاية اليوم.',
  ],
  th: [
    'สวัสดีครับ',
    'การประชุมเลื่อนไปเป็นวันจันทร์ กรุณายืนยันการเข้าร่วมภายในวันศุกร์',
    'เรียนเพื่อนร่วมงานทุกท่าน ขอแจ้งให้ทราบว่าพรุ่งนี้เวลาสิบนาฬิกาจะมีการประชุม กรุณาเตรียมรายงานและส่งให้เลขานุการก่อนสิ้นวัน',
  ],
  tr: [
    'Günaydın',
    'Toplantı pazartesi gününe ertelendi, lütfen cuma gününe kadar katılımınızı onaylayın.',
    'Değerli arkadaşlar, yarın saat onda toplantı yapılacağını hatırlatırız. ' +
      'Lütfen raporlarınızı hazırlayıp gün sonuna kadar sekretere gönderiniz. İyi çalışmalar dileriz.',
  ],
  lt: [
    'Labas rytas, ačiū',
    'Susitikimas perkeltas į pirmadienį, prašome patvirtinti dalyvavimą iki penktadienio.',
    'Gerbiami kolegos, primename, kad rytoj dešimtą valandą įvyks posėdis. ' +
      'Prašome parengti ataskaitas ir atsiųsti jas sekretorei iki dienos pabaigos. Ačiū už supratimą.',
  ],
  lv: [
    'Labrīt, paldies',
    'Sanāksme ir pārcelta uz pirmdienu, lūdzu, apstipriniet dalību līdz piektdienai.',
    'Cienījamie kolēģi, atgādinām, ka rīt pulksten desmitos notiks sēde. ' +
      'Lūdzam sagatavot pārskatus un nosūtīt tos sekretārei līdz dienas beigām. Paldies par sapratni.',
  ],
  et: [
    'Tere hommikust, sõber',
    'Koosolek lükati edasi esmaspäevale, palun kinnitage osalemist hiljemalt reedeks.',
    'Lugupeetud kolleegid, tuletame meelde, et homme kell kümme toimub koosolek. ' +
      'Palume koostada aruanded ja saata need õhtuks sekretärile. ' +
      'Täname mõistva suhtumise eest, šašlõkk ja žürii.',
  ],
  ja: [
    'こんにちは',
    '会議は月曜日に延期されました。金曜日までにご出席の確認をお願いします。',
    '各位。明日の午前十時から会議を行います。報告書を準備し、本日中に秘書までお送りください。ご不明な点がございましたら、お気軽にお問い合わせください。',
  ],
  'zh-CN': [
    '你好世界',
    '会议推迟到星期一，请在星期五之前确认是否出席。',
    '各位同事，提醒大家明天上午十点召开会议。请准备好各自的报告，并在今天下班之前发给秘书。如有问题，请随时与我们联系。',
  ],
  'zh-TW': [
    '您好世界',
    '會議延期到星期一，請在星期五之前確認是否出席。',
    '各位同事，提醒大家明天上午十點召開會議。請準備好各自的報告，並在今天下班之前寄給秘書。如有問題，請隨時與我們聯絡。',
  ],
  ko: [
    '안녕하세요',
    '회의가 월요일로 연기되었습니다. 금요일까지 참석 여부를 알려 주십시오.',
    '동료 여러분, 내일 오전 열 시에 회의가 열립니다. 각자 보고서를 준비하여 오늘 안으로 비서에게 보내 주시기 바랍니다. 감사합니다.',
  ],
};

/** The charsets each language was written in before Unicode. */
export const CHARSETS_OF: Readonly<Record<string, readonly string[]>> = {
  fr: ['windows-1252', 'macroman', 'cp850', 'cp437'],
  de: ['windows-1252', 'macroman', 'cp850', 'cp437'],
  es: ['windows-1252', 'macroman', 'cp850', 'cp437'],
  pt: ['windows-1252', 'cp850'],
  it: ['windows-1252', 'cp850'],
  da: ['windows-1252', 'cp850', 'cp865'],
  sv: ['windows-1252', 'cp437', 'cp850'],
  fi: ['windows-1252', 'cp850'],
  is: ['windows-1252'],
  pl: ['windows-1250', 'iso-8859-2', 'cp852'],
  cs: ['windows-1250', 'iso-8859-2', 'cp852'],
  hu: ['windows-1250', 'iso-8859-2', 'cp852'],
  ro: ['windows-1250', 'iso-8859-2'],
  hr: ['windows-1250', 'iso-8859-2', 'cp852'],
  ru: ['windows-1251', 'koi8-r', 'cp866', 'iso-8859-5'],
  uk: ['windows-1251', 'koi8-u'],
  bg: ['windows-1251'],
  el: ['windows-1253', 'iso-8859-7', 'cp737'],
  he: ['windows-1255', 'iso-8859-8', 'cp862'],
  ar: ['windows-1256', 'iso-8859-6'],
  th: ['windows-874'],
  tr: ['windows-1254', 'iso-8859-9', 'cp857'],
  lt: ['windows-1257', 'iso-8859-13', 'cp775'],
  lv: ['windows-1257', 'iso-8859-13', 'cp775'],
  et: ['windows-1257', 'iso-8859-13'],
  ja: ['shift_jis', 'euc-jp', 'iso-2022-jp'],
  'zh-CN': ['gb18030'],
  'zh-TW': ['big5'],
  ko: ['euc-kr'],
};
