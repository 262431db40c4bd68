/**
 * A capability that people name in different ways. All text is compared after folding: case, diacritics, separators and plurals do
 * not matter.
 */
export interface Concept {
  /** Label of the capability, such as `translation`. */
  readonly id: string;
  /** Kinds that stand for it, with the names of NIP-90's registry and of the NIPs. */
  readonly kinds: readonly number[];
  /** Phrases that name it anywhere: in labels, topics, names, descriptions and queries. */
  readonly phrases: readonly string[];
  /** Words that name it only as a whole label or query, because they are too general in a sentence. */
  readonly labels: readonly string[];
  /** Sentences that describe it, as a pattern over folded and stemmed text. */
  readonly prose: RegExp | null;
}

const concept = (
  id: string,
  kinds: readonly number[],
  phrases: string,
  labels = '',
  prose: string | null = null,
): Concept => ({
  id,
  kinds,
  phrases: [id, ...list(phrases)],
  labels: list(labels),
  prose: prose === null ? null : new RegExp(`(?:^| )(?:${prose})(?= |$)`, 'g'),
});

const list = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** Up to three words between a verb and its object. */
const gap = '(?: [^ ]+){0,3}';
const making = '(?:generat|creat|mak|produc|synthesiz)[a-z]*';
const converting = '(?:convert|turn|transform|chang)[a-z]*';
const finding = '(?:find|discover|recommend|suggest|surfac|curat)[a-z]*';

/** Capabilities with their kinds and synonyms. Kinds 5000–5970 are those of NIP-90's registry. */
export const concepts: readonly Concept[] = [
  concept(
    'text-extraction',
    [],
    'extract text, text extractor, ocr, optical character recognition, text recognition, pdf to text, image to text, document parsing, texterkennung, text erkennen, extraer texto, extraire texte, read text from image, text from image, extract text from pdf',
    'extraction, extractor',
    `(?:extract|pull)[a-z]*${gap} text|read[a-z]*${gap} text (?:in|on|from|off|inside)|text (?:from|out of) (?:pdf|image|photo|scan|document|file)|read[a-z]*(?: [^ ]+){0,2} (?:text|word) (?:on|in|off)`,
  ),
  concept(
    'transcription',
    [],
    'transcribe, transcriber, transcribing, transcript, speech to text, stt, speech recognition, asr, voice to text, audio to text, video to text, whisper, whisperx, subtitling, subtitle, closed caption, dictation, transkription, transkribieren, transcribir, transcripcion, transcrire, transcrever, speech2text, voice recognition, voice to word, transcribed, transcript service, audio transcript',
    'speech, caption, recognition',
    `${converting}${gap} (?:speech|audio|voice|podcast|recording|talk)${gap} (?:in ?to|to) (?:text|word|writing)|(?:speech|audio|voice|podcast|recording) into (?:text|word)|write[a-z]* down${gap} (?:say|said|spoken)`,
  ),
  concept(
    'summarization',
    [5001],
    'summarize, summarizer, summarizing, summarized, text summary, summary of, tl dr, tldr, condense, condensing, executive summary, zusammenfassung, zusammenfassen, resumen, resumir, resumer, key point, in a nutshell, key takeaway, bullet point',
    'summary, digest, recap, sum up, summarise',
    `(?:sum|boil|shorten)[a-z]* (?:up|down)|shorten[a-z]*${gap} (?:text|article|thread|document)|short version of|(?:get|give)[a-z]* gist|gist of|fass[a-z]*${gap} zusammen|in (?:one|two|three|four|five|a few|few|[0-9]+) (?:sentence|line|word|bullet)`,
  ),
  concept(
    'translation',
    [5002],
    'translate, translator, translating, translated, machine translation, language translation, localization, ubersetzung, ubersetzer, ubersetzen, uebersetzen, uebersetzung, traduire, traduzir, traduction, traduccion, traducir, traducao, traduzione, перевод, переводчик, 翻译, 翻訳, between language, into other language, to another language, multilingual translation',
    'language, localize, interpreter',
    '(?:from|in) [^ ]+ to (?:english|spanish|german|french|japanese|chinese|portuguese|italian|russian)',
  ),
  concept(
    'text-generation',
    [5050],
    'generate text, text generator, llm, large language model, language model, chat completion, chatbot, chat bot, gpt, chatgpt, llama, ollama, claude, mistral, ai assistant, ai chat, copywriting, copywriter, write text, story writer, storytelling, question answering, ask ai, ask me anything, textgenerierung, inference api, prompt completion, gpt 4, gpt 5, gemini, deepseek, qwen, ask question, answer question, text completion, poetry',
    'chat, completion, assistant, writing, writer, prompt, q a, inference, text, ai, question, ask, poem, story',
    `${making}(?: [^ ]+)? (?:text|prose|story|poem|essay|copy|blog post)|(?:answer|repl)[a-z]*${gap} (?:question|prompt)|(?:write|writing) (?:a |an |your |me )?(?:story|poem|essay|article|copy|text)|(?:70b|8b|7b) (?:parameter|model)`,
  ),
  concept(
    'image-generation',
    [5100],
    'generate image, image generator, text to image, text2image, txt2img, image creation, image synthesis, picture generation, picture generator, art generator, ai art, ai image, stable diffusion, sdxl, dall e, dalle, midjourney, comfyui, generative art, bildgenerierung, bild generieren, bilder generieren, bild erzeugen, bilder erzeugen, bild erstellen, bilder erstellen, generacion de imagenes, generar imagen, crear imagen, generer image, creer image, gerar imagem, logo design, avatar generator, meme generator, text into image, text into picture, prompt to image, image gen, flux schnell, flux pro, flux dev, recraft, image maker, picture maker, draw picture, make picture, create picture, illustration, photo generator, text 2 image',
    'image, picture, art, illustration, drawing, painting, artwork, flux, generate',
    `(?:(?:generat|creat|mak|produc|synthesiz|draw|paint|render|illustrat|imagin)[a-z]*|design[a-z]*)${gap} (?:image|picture|art|artwork|illustration|photo|portrait|logo|avatar|wallpaper|meme|drawing|painting)|(?:word|text|prompt|idea)${gap} (?:into|to) (?:image|picture|art|artwork)`,
  ),
  concept(
    'image-editing',
    [],
    'edit image, image editor, photo editing, background removal, remove background, upscale, upscaling, upscaler, inpainting, image enhancement, super resolution, colorize, restyle, image to image, img2img, face swap, image upscaling, image upscaler, upscale image',
    'editing',
    `(?:edit|retouch|enhanc|upscal|sharpen)[a-z]*${gap} (?:image|picture|photo)`,
  ),
  concept(
    'image-analysis',
    [],
    'image captioning, describe image, image description, image recognition, image classification, object detection, computer vision, image tagging, visual question answering, alt text',
    'vision',
    `(?:describ|caption|classif|recogniz|analyz|tag)[a-z]*${gap} (?:image|picture|photo)|what is (?:in|on) (?:a|an|the|your) (?:image|picture|photo)`,
  ),
  concept(
    'video-conversion',
    [5200, 5207],
    'convert video, video converter, transcoding, transcode, transcoder, video encoding, video transform, hls, ffmpeg, mp4 conversion, video compression, compress video',
    'convert',
    `(?:convert|transcod|encod|compress|resiz)[a-z]*${gap} (?:video|movie|clip|mp4)`,
  ),
  concept(
    'video-translation',
    [5201],
    'translate video, dubbing, dub video, video dubbing, translate subtitle, lip sync',
    'dub',
    `(?:translat|dub)[a-z]*${gap} (?:video|movie|film)`,
  ),
  concept(
    'video-generation',
    [5202, 5203],
    'generate video, video generator, text to video, txt2vid, image to video, img2vid, image to video conversion, animate image, animate picture, ai video, video synthesis, animation generator, create video, video creation, make video, stable video diffusion, sora, video clip, text 2 video, short video',
    'video, animation, animate',
    `${making}${gap} (?:video|clip|animation|movie)|(?:bring|animat)[a-z]*${gap} (?:picture|photo|image)(?: to life)?|(?:text|prompt|picture|photo|image)(?: [^ ]+){0,2} (?:to|into)(?: [^ ]+){0,3} (?:video|clip|animation)`,
  ),
  concept(
    'text-to-speech',
    [5250],
    'tts, speech synthesis, synthesize speech, voice synthesis, voice generation, generate voice, generate speech, speech generation, voiceover, voice over, read aloud, reads aloud, text2speech, text to voice, text to audio, text into speech, narrate, narration, narrator, voice cloning, voice clone, sprachausgabe, vorlesen, texto a voz, synthese vocale, audiobook, text 2 speech, voice generator, natural sounding speech, natural voice, speech generator, spoken audio',
    'speech, voice, audio, speak',
    `${making}${gap} (?:speech|voice|spoken)|(?:read|speak|say)[a-z]*${gap} (?:aloud|out loud)|(?:into|as) (?:spoken|speech)|(?:text|article|note|word)${gap} (?:into|to) (?:speech|voice|audio|spoken)|(?:article|note|post|blog post|text)(?: [^ ]+){0,1} (?:to|into)(?: [^ ]+){0,2} (?:audio|podcast)`,
  ),
  concept(
    'music-generation',
    [],
    'generate music, music generator, text to music, compose music, music composition, song generator, song writing, ai music, beat maker, musicgen, sound effect generation, lo fi, instrumental, soundtrack',
    'music, song, composer, melody, beat, lofi',
    `(?:(?:generat|creat|mak|produc)[a-z]*|compos[a-z]*|writ[a-z]*)${gap} (?:music|song|melody|beat|jingle|tune|soundtrack)`,
  ),
  concept(
    'content-discovery',
    [5300],
    'nostr content discovery, discover content, content recommendation, recommend content, recommended content, curated feed, custom feed, trending note, trending on nostr, trending content, popular content, popular note, what is hot, hot on nostr, algo feed, feed algorithm, personalized feed, discovery feed, wot feed, nostr feed, popular on nostr, currently popular, most zapped, content suggestion, suggest content',
    'discovery, feed, trending, curation, recommendation, popular, algorithm, recommender, timeline, recommend',
    `(?:show|find|discover|recommend|suggest|surfac|curat|giv)[a-z]*${gap} (?:popular|trending|interesting|hot|best|top|relevant|zapped|viral)${gap} (?:content|note|post|stuff|event)|${finding}${gap} (?:note|post|content)${gap} (?:you|like|interest|topic|about)|show[a-z]*(?: [^ ]+){0,3} (?:zapping|reading|talking about|trending)|show[a-z]* (?:the )?(?:latest|trending)`,
  ),
  concept(
    'people-discovery',
    [5301],
    'nostr people discovery, user discovery, discover people, discover user, people recommendation, follow recommendation, recommend people, suggested follow, follow suggestion, who to follow, people to follow, account to follow, user recommendation, user to follow, find friend, inactive follow, suggest people, suggest account, suggested account, recommend account',
    'follow, people, friend',
    `(?:discover|recommend|suggest|surfac|curat)[a-z]*${gap} (?:people|user|account|profile|npub|friend)|find[a-z]*${gap} (?:people|friend|account|user|npub|profile)${gap} (?:follow|connect|like|interest)[a-z]*|user you follow but|follow[a-z]* (?:that|who) (?:have been |are |is )?inactive`,
  ),
  concept(
    'content-search',
    [5302],
    'nostr content search, search note, note search, search nostr, nostr search, search content, search engine for nostr, event search, search event, full text search, fulltext search, search post, post search, keyword search, search by keyword, find note',
    'search, search engine, lookup, look up',
    'search[a-z]*(?: [^ ]+){0,2} (?:note|nostr|content|event|post|keyword)',
  ),
  concept(
    'people-search',
    [5303],
    'nostr people search, user search, profile search, search people, search user, search profile, find profile, find user by name, people finder, npub lookup, find user, find people, find person, user lookup',
    'people, search, people finder, who is, user',
    'search[a-z]*(?: [^ ]+){0,2} (?:people|user|profile|account|npub)|(?:find|look up|looks up)[a-z]*(?: [^ ]+){0,2} (?:user|profile|npub|person)(?!(?: [^ ]+){0,3} follow)',
  ),
  concept(
    'event-count',
    [5400],
    'nostr event count, count event, event counting, event counter, count note, count reaction, count follower, follower count, nip 45, reaction count',
    'count, counting, counter, statistics',
    'count[a-z]*(?: [^ ]+){0,3} (?:event|note|reaction|follower|zap|post|repost|like)|how many (?:event|note|reaction|follower|zap|post|people)',
  ),
  concept(
    'malware-scanning',
    [5500],
    'malware scan, malware scanner, malware detection, malware, virus scan, virus scanner, virus scanning, antivirus, anti virus, clamav, virustotal, scan for virus, scan file',
    'virus, security scan, scanning, scanner, security',
    '(?:scan|check)[a-z]*(?: [^ ]+){0,4} (?:virus|malware|trojan)',
  ),
  concept(
    'event-timestamping',
    [5900],
    'nostr event time stamping, timestamping, time stamping, timestamp event, timestamp note, timestamp document, timestamp file, open timestamp, opentimestamp, ots proof, proof of existence, notarization, notarize',
    'ots, notary, timestamp, time stamp',
    '(?:time ?stamp|anchor|notariz)[a-z]*(?: [^ ]+){0,4} (?:event|note|document|file|bitcoin)|existed at|proof that(?: [^ ]+){0,3} existed',
  ),
  concept(
    'op-return-creation',
    [5901],
    'op return, opreturn, op return creation, write to blockchain, inscribe on bitcoin, bitcoin inscription, data on the blockchain, onchain message, on chain message',
    'inscription, inscribe',
    '(?:writ|inscrib|embed|put)[a-z]*(?: [^ ]+){0,4} (?:bitcoin blockchain|blockchain|onchain|op return)',
  ),
  concept(
    'event-scheduling',
    [5905],
    'nostr event publish schedule, publish schedule, event publish schedule, schedule note, schedule post, scheduled note, scheduled post, post scheduler, note scheduler, post scheduling, delayed publishing, publish later, post later',
    'schedule, scheduler, scheduling, scheduled',
    '(?:schedul|publish|post|send)[a-z]*(?: [^ ]+){0,4} (?:later|in the future|at a later time|at a given time|future date)',
  ),
  concept(
    'event-pow',
    [5970],
    'proof of work, pow, event pow delegation, pow delegation, nostr event pow delegation, delegated pow, delegated proof of work, nip 13, pow mining, mine pow, mine event, pow miner, nonce, grind nonce',
    'mining, miner, hashing',
    'min(?:e|es|ing)(?: [^ ]+){0,3} (?:event|note|nonce)|leading zero(?: bit)?',
  ),
  concept(
    'code-generation',
    [],
    'coding, coder, programmer, generate code, code generator, codegen, code assistant, coding assistant, code completion, write code, writes code, coding agent, coding bot, programming, programmer, software development, software engineering, program synthesis, ai coder, copilot, code writing, vibe coding, ai coding, unit test, write test, python programmer, codex',
    'code, developer, python, javascript, typescript, rust, golang, software, script, scripting',
    `(?:${making}|writ[a-z]*|implement[a-z]*|develop[a-z]*)${gap} (?:code|program|script|function|software|app|smart contract)|(?:solv|fix)[a-z]*${gap} (?:coding|programming|bug)`,
  ),
  concept(
    'code-review',
    [],
    'review code, code reviewer, static analysis, static code analysis, code audit, audit code, linting, linter, bug finding, find bug, pull request review, vulnerability scan, smart contract audit, security audit, pr review, security review, code auditing, contract audit, review pr',
    'review, audit',
    `(?:review|audit|inspect|analyz)[a-z]*${gap} (?:code|pull request|patch|commit|contract|repository)`,
  ),
  concept(
    'benchmark-task',
    [],
    'benchmark, benchmarking, benchmark task, perf test, performance test, compute benchmark, load test, stress test, performance measurement, llm benchmark, measure latency, measure throughput, latency test, speed test',
    'perf',
    'measur[a-z]*(?: [^ ]+){0,3} (?:latency|throughput|performance|speed)',
  ),
  concept(
    'sentiment-analysis',
    [],
    'analyze sentiment, sentiment classifier, sentiment detection, emotion detection, opinion mining, mood analysis, tone analysis, sentiment',
    'mood, emotion',
    '(?:detect|analyz|classif|measur|scor)[a-z]*(?: [^ ]+){0,3} (?:sentiment|mood|emotion|tone)',
  ),
  concept(
    'content-moderation',
    [],
    'moderate content, moderation, moderation service, spam detection, spam filter, spam filtering, detect spam, nsfw detection, toxicity detection, abuse detection, content filter, bot detection, nsfw, toxicity',
    'spam, moderator, nsfw, filter, toxicity',
    '(?:detect|filter|flag|block|classif|moderat)[a-z]*(?: [^ ]+){0,3} (?:spam|nsfw|abuse|toxic|scam|bot|harmful)[a-z]*',
  ),
  concept(
    'fact-checking',
    [],
    'fact check, fact checker, check fact, claim verification, verify claim, verify statement, misinformation detection, debunk, truth check, check claim',
    'fact, truth',
    '(?:check|verif)[a-z]*(?: [^ ]+){0,3} (?:fact|claim|statement|truth|news)|(?:source|evidence)(?: [^ ]+){0,3} (?:claim|statement)',
  ),
  concept(
    'proofreading',
    [],
    'proofread, proofreader, grammar check, grammar checker, grammar correction, spell check, spell checker, spelling correction, correct grammar, copy editing, lektorat, typo',
    'grammar, spelling',
    '(?:correct|fix|check|improv)[a-z]*(?: [^ ]+){0,3} (?:grammar|spelling|typo|punctuation)',
  ),
  concept(
    'embeddings',
    [],
    'text embedding, embedding, semantic embedding, vector embedding, vectorization, vectorize, sentence embedding, semantic vector',
    'vector, rag',
    '(?:embed|vectoriz)[a-z]*(?: [^ ]+){0,2} (?:text|document|sentence)',
  ),
  concept(
    'web-search',
    [],
    'search the web, internet search, search the internet, search engine, google search, duckduckgo, searxng, online search, web research, deep research',
    'search, research',
    'search[a-z]*(?: [^ ]+){0,3} (?:web|internet|online)',
  ),
  concept(
    'web-scraping',
    [],
    'web scraper, scraping, scrape, scraper, crawler, crawling, crawl, web crawler, fetch url, url to markdown, html to markdown, website to text, page fetch, link preview, extract web page',
    'fetch, browse, browsing, crawl',
    '(?:scrap|crawl|fetch|download)[a-z]*(?: [^ ]+){0,3} (?:web|website|page|url|site)',
  ),
  concept(
    'data-analysis',
    [],
    'analyze data, data analytics, analytics, data science, data analyst, chart generation, plot data, statistical analysis, business intelligence, spreadsheet analysis',
    'statistics, analyst, analysis, chart',
    '(?:analyz|visualiz|plot)[a-z]*(?: [^ ]+){0,3} (?:data|dataset|csv|table|spreadsheet|statistic)',
  ),
  concept(
    'market-data',
    [],
    'price feed, price oracle, bitcoin price, btc price, crypto price, exchange rate, stock price, stock market, market price, price data, currency conversion, fiat price, trading signal, btc usd, bitcoin usd, exchange price',
    'price, oracle, ticker, market, stock, trading, finance',
    '(?:price|rate|quote) of (?:bitcoin|btc|crypto|stock|gold)|current (?:price|rate)',
  ),
  concept(
    'weather',
    [],
    'weather forecast, weather report, weather data, weather api, temperature forecast, wettervorhersage',
    'forecast, climate, rain',
    'will it rain',
  ),
  concept(
    'file-hosting',
    [1063, 24242],
    'file storage, host file, file hosting, image hosting, media hosting, upload file, blossom server, blossom, media server, cloud storage, object storage, pin file, ipfs pinning, encrypted backup, backup file, backup service, keep file',
    'storage, hosting, upload, media, backup',
    '(?:store|host|upload|back)[a-z]*(?: [^ ]+){0,3} (?:file|media|blob|backup)',
  ),
  concept(
    'gpu-compute',
    [],
    'gpu compute, gpu rental, rent gpu, compute rental, serverless compute, run container, docker execution, code execution, execute code, run code, sandbox execution, wasm execution, model training, fine tuning, training job, batch compute, docker container, container hosting, gpu rental, gpu hosting, h100, a100',
    'gpu, compute, training, sandbox, execution',
    '(?:run|execut|train)[a-z]*(?: [^ ]+){0,3} (?:code|script|container|model|wasm|workload|program)',
  ),
  concept(
    'social',
    [0, 1, 3, 6, 7],
    'social network, social client, nostr client, microblogging, short note, twitter clone',
    'note, client',
  ),
  concept(
    'long-form',
    [30023],
    'long form, long form article, long form content, blogging, blogging platform, publishing platform',
    'reading, reader, blog, article, blog post',
  ),
  concept('highlights', [9802, 39802], 'highlight, highlighter, annotation, annotate', 'quote'),
  concept(
    'direct-messages',
    [4, 14, 1059],
    'direct message, private message, private messaging, encrypted chat, messenger, dm',
    'messaging, message',
  ),
  concept('zaps', [9734, 9735], 'zap, zapping, lightning tip, tipping', 'tip'),
  concept(
    'lists',
    [30000, 30001, 30003, 30004],
    'bookmark, curation set, curation, bookmark list, follow set',
    'list',
  ),
  concept(
    'live-streaming',
    [30311],
    'live stream, live streaming, livestream, streaming, live video',
    'live, stream',
  ),
  concept(
    'marketplace',
    [30017, 30018, 30402],
    'marketplace, classified, classified listing, online shop, webshop, nostr market, buy and sell',
    'shop, store, market',
  ),
  concept(
    'calendar',
    [31922, 31923, 31924],
    'calendar, calendar event, event planning, meetup, rsvp',
    'event',
  ),
  concept('wiki', [30818], 'wiki, encyclopedia, wiki article', 'knowledge'),
  concept(
    'git',
    [30617, 1617, 1621],
    'git, git repository, source code hosting, patch, issue tracker',
    'repository',
  ),
  concept('badges', [8, 30008, 30009], 'badge, badge award', 'award'),
  concept('polls', [1068, 6969], 'poll, voting, survey', 'vote'),
  concept('reports', [1984], 'report content, reporting', 'report'),
];
