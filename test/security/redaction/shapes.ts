/**
 * Secrets as people and programs write them, each with a distinct marker; assembled, so that secret scanners do not
 * report them.
 */
import { createHash } from 'node:crypto';

/** A text, and what of it must be seen nowhere. */
export interface Planted {
  readonly name: string;
  readonly text: string;
  readonly secret: string;
}

const bytes = (seed: string): Buffer =>
  Buffer.concat([0, 1, 2].map((part) => createHash('sha512').update(`${seed} ${part}`).digest()));
/** Letters and digits as a program makes them, the same for the same seed. */
export const alnum = (seed: string, length: number): string =>
  bytes(seed)
    .toString('base64')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, length - 2) + '7q';
const hex = (seed: string, length: number): string => bytes(seed).toString('hex').slice(0, length);
const upper = (seed: string, length: number): string =>
  `${bytes(seed)
    .toString('base64')
    .replaceAll(/[^A-Z0-9]/g, '')}QWERTYUIOPASDFGHJKLZXC`.slice(0, length);

/** `§` is the secret. */
type Row = readonly [name: string, text: string, secret: (seed: string) => string];
const a =
  (length: number, before = '') =>
  (seed: string): string =>
    before + alnum(seed, length);
const h =
  (length: number, before = '') =>
  (seed: string): string =>
    before + hex(seed, length);
const short = a(9);

/** (a) Parameters of addresses. */
const PARAMETERS: readonly Row[] = [
  ['key=', 'GET https://maps.example.com/v1?q=a&key=§ failed', a(24)],
  ['sig=', 'https://x.example.com/f?sv=2022-11-02&ss=b&se=2026-01-01T00%3A00%3A00Z&sig=§', a(40)],
  ['signature=', 'https://s3.example.com/o?Signature=§&Expires=17', a(28)],
  ['X-Amz-Signature', 'https://b.example.com/o?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=§&x=1', h(64)],
  ['X-Amz-Security-Token', 'https://b.example.com/o?X-Amz-Security-Token=§', a(60)],
  ['X-Amz-Credential', 'https://b.example.com/o?X-Amz-Credential=§', a(30)],
  ['X-Goog-Signature', 'https://g.example.com/o?X-Goog-Signature=§', h(40)],
  ['code=', 'https://app.example.com/callback?code=§&state=1', a(30)],
  ['access_token=', 'https://graph.example.com/me?access_token=§', a(12)],
  ['auth=', 'https://db.example.com/x.json?auth=§', a(30)],
  ['apikey=', 'https://e.example.com/?apikey=§', short],
  ['api-key=', 'https://e.example.com/?api-key=§', short],
  ['hmac=', 'https://shop.example.com/?hmac=§&shop=x', h(64)],
  ['client_secret=', 'POST https://o.example.com/token?client_secret=§', a(14)],
  ['refresh_token=', 'grant_type=refresh_token&refresh_token=§', a(14)],
  ['#token=', 'http://127.0.0.1:18789/#token=§', a(43)],
  ['#access_token=', 'https://app.example.com/cb#access_token=§&expires_in=3600', a(30)],
  ['id_token=', 'https://app.example.com/cb#id_token=§', a(30)],
  ['&amp;', 'see https://e.example.com/?a=1&amp;token=§&amp;b=2', a(14)],
  ['encoded =', 'url=https%3A%2F%2Fe.example.com%3Ftoken%3D§', a(24)],
  ['password=', 'https://e.example.com/login?user=me&password=§', short],
  ['sid=', 'https://e.example.com/?sid=§', a(32)],
  ['jwt=', 'https://e.example.com/meet?jwt=§', a(40)],
  ['ticket=', 'https://e.example.com/cas?ticket=§', a(32, 'ST-1-')],
];

/** (b) Headers, flags and assignments in arguments and files. */
const ARGUMENTS: readonly Row[] = [
  ['-H Authorization: token', "curl -H 'Authorization: token §' https://e.example.com", a(16)],
  ['-H Authorization: Bearer', 'curl -H "Authorization: Bearer §" https://e.example.com', a(16)],
  ['Authorization alone', 'Authorization: §\r\nHost: x', a(24)],
  ['Authorization: Basic', 'authorization: Basic §', (seed) => Buffer.from(`me:${alnum(seed, 12)}`).toString('base64')],
  [
    'Proxy-Authorization',
    'Proxy-Authorization: Basic §',
    (seed) => Buffer.from(`me:${alnum(seed, 12)}`).toString('base64'),
  ],
  [
    'AWS4 header',
    'Authorization: AWS4-HMAC-SHA256 Credential=x/20260101/eu/s3/aws4_request, SignedHeaders=host, Signature=§',
    h(64),
  ],
  ['Digest header', 'Authorization: Digest username="me", realm="r", response=§', h(32)],
  ['--header X-Api-Key', 'http --header "X-Api-Key: §" GET', short],
  ['-H X-Api-Key in a list', '["curl","-H","X-Api-Key: §","https://e.example.com"]', short],
  ['Cookie', "curl -H 'Cookie: session=§; theme=dark' https://e.example.com", a(20)],
  ['Set-Cookie', 'Set-Cookie: sid=§; HttpOnly', a(20)],
  ['-u user:pass', 'curl -u admin:§ https://e.example.com', short],
  ['--user in a list', '["curl","--user","admin:§"]', short],
  ['--user=', 'curl --user=admin:§ x', short],
  ['-uuser:pass', 'curl -s -uadmin:§ x', short],
  ['--proxy-user', 'curl --proxy-user me:§ x', short],
  ['wget --http-password', 'wget --http-password=§ https://e.example.com', short],
  ['wget --password', 'wget --user=me --password § x', short],
  ['PRIVATE-TOKEN', "curl --header 'PRIVATE-TOKEN: §' https://git.example.com", short],
  ['header object', '{"headers":{"x-auth-token":"§","accept":"*/*"}}', short],
  ['header tuples', '["accept","*/*","authorization","Bearer §"]', a(20)],
  [
    'header object, inside a string',
    JSON.stringify({ body: JSON.stringify({ headers: { 'x-api-key': '§' } }) }),
    short,
  ],
  [
    'header object, two strings deep',
    JSON.stringify({ b: JSON.stringify({ b: JSON.stringify({ password: '§' }) }) }),
    short,
  ],
  ['flag in a list', '["run","--api-token","§","-v"]', short],
  ['flag, quoted', "deploy --secret '§' now", short],
  ['PGPASSWORD', 'PGPASSWORD=§ psql -h db', short],
  ['KEY', 'export MY_SERVICE_KEY=§', short],
  ['PASS', 'SMTP_PASS=§ node x', short],
  ['TOKEN_2', 'API_TOKEN_2=§', short],
  ['.env, quoted', 'DB_PASSWORD="my § password"', short],
  ['YAML password', 'db:\n  password: §\n  user: me', short],
  ['YAML api_key', 'api_key: "§"', short],
  ['ini', 'secret_key = §\n', a(20)],
  ['python', 'client(api_key="§")', short],
  ['object', "connect({ password: '§' })", short],
  ['aws config', 'aws_secret_access_key = §', a(40)],
  ['AWS pair', `${'AKIA'}IOSFODNN7EXAMPLE, §`, a(40)],
  ['.netrc', 'machine e.example.com login me password §', short],
  ['.netrc in lines', 'machine e.example.com\n  login me\n  password §', short],
  ['docker login', 'docker login -u me -p § registry.example.com', short],
  ['mysql -p', 'mysql -u root -p§ db', short],
  ['mysql in a list', '["mysqldump","-uroot","-p§","db"]', short],
  ['sshpass', 'sshpass -p § ssh me@host', short],
  ['redis-cli -a', 'redis-cli -h r -a § ping', short],
  ['unzip -P', 'unzip -P § a.zip', short],
  ['openssl pass:', 'openssl enc -aes-256-cbc -pass pass:§', short],
  ['Token scheme', 'sent: Token §', h(40)],
  ['Bearer after a line break in JSON', JSON.stringify({ text: 'x\nBearer §' }), a(30)],
  ['cut before its end', '{"body":"{\\"apiKey\\":\\"§', a(30)],
  ['AccountKey', 'DefaultEndpointsProtocol=https;AccountName=x;AccountKey=§;EndpointSuffix=core.example.net', a(60)],
  ['SharedAccessKey', 'Endpoint=sb://x.example.net/;SharedAccessKeyName=Root;SharedAccessKey=§', a(43)],
  ['Cloudflare by name', '{"CF_API_TOKEN":"§"}', a(40)],
  ['Twilio by name', 'TWILIO_AUTH_TOKEN=§', h(32)],
  ['passphrase', '--passphrase §', short],
  ['clientSecret', '{"clientSecret":"§"}', short],
];

/** (c) Addresses. */
const ADDRESSES: readonly Row[] = [
  ['Slack', `https://hooks.${'slack'}.com/services/T00000000/B00000000/§`, a(24)],
  ['Slack workflow', `https://hooks.${'slack'}.com/workflows/T0/A0/1/§`, a(24)],
  ['Discord', `https://${'discord'}.com/api/webhooks/123456789012345678/§`, a(68)],
  ['Discord, versioned', `https://ptb.${'discord'}.com/api/v10/webhooks/123456789012345678/§?wait=true`, a(68)],
  ['Telegram', 'https://api.telegram.org/bot§/sendMessage', (seed) => `123456789:${alnum(seed, 35)}`],
  ['Telegram file', 'https://api.telegram.org/file/bot§/a.jpg', (seed) => `987654321:${alnum(seed, 35)}`],
  ['Office', `https://contoso.${'webhook.office'}.com/webhookb2/§/IncomingWebhook/x`, h(32)],
  ['Zapier', `https://hooks.${'zapier'}.com/hooks/catch/123456/§/`, short],
  ['IFTTT', `https://maker.${'ifttt'}.com/trigger/door/with/key/§`, a(22)],
  ['Google Chat', 'https://chat.googleapis.com/v1/spaces/AAA/messages?key=x&token=§', a(40)],
  ['a path of ours', 'POST /hooks/desk/§ 404', a(32)],
  ["somebody's", 'https://ci.example.com/webhook/§', a(32)],
  ['password', 'postgres://me:§@db.example.com:5432/app', short],
  ['password with @', 'postgres://me:§@db.example.com/app', (seed) => `${alnum(seed, 6)}@${alnum(`${seed}!`, 6)}`],
  ['redis', 'redis://:§@cache.example.com:6379/0', short],
  ['user alone', 'https://§@o1.ingest.example.com/12', h(32)],
  ['mongodb+srv', 'mongodb+srv://me:§@c.example.net', short],
  ['git', 'fatal: https://oauth2:§@git.example.com/x.git not found', a(20)],
  ['proxy', 'HTTPS_PROXY=http://user:§@proxy.example.com:3128', short],
  ['webhook.site', 'https://webhook.site/§', h(32)],
];

/** (d) Keys that say by their beginning what they are. */
const KEYS: readonly (readonly [string, (seed: string) => string])[] = [
  ['OpenAI', a(40, `s${'k-proj-'}`)],
  ['Anthropic', a(60, `s${'k-ant-api03-'}`)],
  ['OpenRouter', h(64, `s${'k-or-v1-'}`)],
  ['xAI', a(60, `xa${'i-'}`)],
  ['Groq', a(50, `gs${'k_'}`)],
  ['Hugging Face', a(34, `h${'f_'}`)],
  ['Replicate', a(37, `r${'8_'}`)],
  ['Perplexity', a(40, `ppl${'x-'}`)],
  ['Google', a(35, `AI${'za'}`)],
  ['Google OAuth', a(60, `ya2${'9.'}`)],
  ['Google client', a(28, `GOC${'SPX-'}`)],
  ['AWS id', (seed) => `AK${'IA'}${upper(seed, 16)}`],
  ['AWS session id', (seed) => `AS${'IA'}${upper(seed, 16)}`],
  ['Stripe', a(24, `s${'k_live_'}`)],
  ['Stripe restricted', a(24, `r${'k_live_'}`)],
  ['Stripe webhook', a(32, `whs${'ec_'}`)],
  ['SendGrid', (seed) => `S${'G.'}${alnum(seed, 22)}.${alnum(`${seed}b`, 43)}`],
  ['Twilio key', h(32, `S${'K'}`)],
  ['GitLab', a(20, `glp${'at-'}`)],
  ['GitHub', a(36, `gh${'p_'}`)],
  ['GitHub fine', a(60, `github${'_pat_'}`)],
  ['Slack bot', (seed) => `xo${'xb-'}123456789012-${alnum(seed, 24)}`],
  ['Slack rotating', a(60, `xox${'e.xoxp-'}1-`)],
  ['Slack app', a(60, `xa${'pp-1-'}`)],
  ['Discord bot', (seed) => `M${alnum(seed, 25)}.${alnum(`${seed}b`, 6)}.${alnum(`${seed}c`, 38)}`],
  ['Telegram bot', (seed) => `123456789:${alnum(seed, 35)}`],
  ['JWT', (seed) => `ey${'J'}hbGciOiJIUzI1NiJ9.ey${'J'}${alnum(seed, 40)}.${alnum(`${seed}b`, 43)}`],
  ['npm', a(36, `np${'m_'}`)],
  ['PyPI', a(80, `pyp${'i-'}`)],
  ['DigitalOcean', h(64, `do${'p_v1_'}`)],
  ['Vault', a(90, `hv${'s.'}`)],
  ['age', (seed) => `AGE-SECRET${'-KEY-1'}${upper(seed, 20)}`],
  ['Linear', a(40, `lin${'_api_'}`)],
  ['Notion', a(46, `nt${'n_'}`)],
  ['Notion, earlier', a(43, `sec${'ret_'}`)],
  ['Mailgun', h(32, `ke${'y-'}`)],
  ['Shopify', h(32, `shp${'at_'}`)],
  ['Square', a(43, `sq0${'csp-'}`)],
  ['Docker Hub', a(27, `dckr${'_pat_'}`)],
  ['Figma', a(40, `fig${'d_'}`)],
  ['Grafana', a(32, `gls${'a_'}`)],
  ['Atlassian', a(60, `AT${'ATT3'}`)],
  ['Tailscale', a(30, `ts${'key-auth-'}`)],
  ['NVIDIA', a(60, `nv${'api-'}`)],
];
const FRAMES: readonly string[] = [
  'used §',
  'at §, then',
  '{"note":"§"}',
  JSON.stringify({ text: 'line\n§\tend' }),
  'https://e.example.com/x?y=%3D§',
  'x=§;y',
];

/** Private keys: their body is the secret. */
const PRIVATE: readonly Row[] = ['RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ', ''].map(
  (kind): Row => [
    `${kind}private key`,
    `-----BEGIN ${kind}PRIVATE ${'KEY'}-----\nMIIEow${'§'}\nabcd\n-----END ${kind}PRIVATE KEY-----`,
    a(64),
  ],
);
const ARMOURED: readonly Row[] = [
  [
    'PGP',
    `-----BEGIN PGP PRIVATE ${'KEY'} BLOCK-----\nVersion: GnuPG v2.2 (x)\n\n§\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----`,
    a(64),
  ],
  [
    'private key in JSON',
    JSON.stringify({ k: `-----BEGIN PRIVATE ${'KEY'}-----\n§\n-----END PRIVATE KEY-----` }),
    a(64),
  ],
  [
    'private key, two strings deep',
    JSON.stringify(JSON.stringify({ k: `-----BEGIN PRIVATE ${'KEY'}-----\n§\n-----END PRIVATE KEY-----` })),
    a(64),
  ],
  ['private key, cut', `-----BEGIN PRIVATE ${'KEY'}-----\n§`, a(64)],
  ['PuTTY', 'PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n§\nPrivate-MAC: 12', a(48)],
];

const planted = (rows: readonly Row[]): readonly Planted[] =>
  rows.map(([name, text, make]) => {
    const secret = make(`${name} ${text}`);
    return { name, text: text.replaceAll('§', secret), secret };
  });

export const PLANTED: readonly Planted[] = [
  ...planted([...PARAMETERS, ...ARGUMENTS, ...ADDRESSES, ...PRIVATE, ...ARMOURED]),
  ...planted(KEYS.flatMap(([name, make]) => FRAMES.map((frame): Row => [`${name} in ${frame}`, frame, make]))),
];
/** One of each, as a value that stands alone. */
export const LONE_KEYS: readonly Planted[] = planted(KEYS.map(([name, make]): Row => [`lone ${name}`, '§', make]));
export const ADDRESSES_PLANTED = planted(
  ADDRESSES.filter(([, text]) => text.startsWith('http') || text.includes('://')).map(
    ([name, text, make]): Row => [`setting ${name}`, text.split(' ').find((word) => word.includes('://'))!, make],
  ),
);

/** What looks a little like a secret and is none. */
export const NEIGHBOURS: readonly string[] = [
  'agent.turn sessionKey=agent:main:main',
  '{"sessionKey":"agent:main:telegram:direct:42","inputTokens":12,"totalTokens":3000}',
  'the key to success is a good password policy',
  'task-force went to the desk-side',
  'http://127.0.0.1:18789/healthz',
  '2026-01-29T12:00:00.000Z gateway.ready ms=321',
  'commit 8ffdf55a0c1b2d3e4f5061728394a5b6c7d8e9f0',
  '{"runId":"0b8e3c1e-6a1b-4f0e-9a1a-0b8e3c1e6a1b"}',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '{"digest":"sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="}',
  '{"messageId":"1234567890.123456","chat":"C0123ABCD"}',
  '/home/me/.ssh/id_ed25519.pub',
  'https://example.org/search?q=token&key=en',
  'https://example.org/?key=value&code=404',
  'https://example.org/a?session=agent%3Amain%3Amain',
  'https://example.org/docs/webhooks/how-to-set-them-up-yourself',
  'const token = await readToken(file);',
  'token === other.token ? "same" : "not"',
  'if (!secret) throw new Error("no secret");',
  'interface Auth { token: string; password: string }',
  'password: z.string().min(1)',
  'export const apiKey = process.env.OPENAI_API_KEY;',
  'api_key=os.environ["OPENAI_API_KEY"]',
  'curl -H "Authorization: Bearer $TOKEN" https://e.example.org',
  'apiKey: "${OPENAI_API_KEY}"',
  '{"token":"${BOT_TOKEN}","password":null}',
  'PASSWORD=$DB_PASSWORD psql',
  'OPENAI_API_KEY=<your key>',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'it costs $12.50, 30 % less',
  'docker run -p 8080:80 -u 1000:1000 nginx',
  'ssh -p 22 me@host',
  'redis-cli -p 6379 ping',
  'Basic understanding of the matter',
  'Bearer tokens are sent in a header',
  'a token expired at noon',
  'the secret of a good soup',
  'see gateway.auth.token',
  'Give its token with --token, CLAWDBOT_GATEWAY_TOKEN or gateway.auth.token.',
  'use --token to name it',
  'npm_config_registry npm_lifecycle_event',
  'scikit sk-learn',
  'git clone git@github.com:me/x.git',
  'ssh://git@example.org/x.git',
  'mailto:me@example.org',
  'at run (file:///home/me/app/src/agent/loop/run-loop.ts:120:11)',
  'main 9e6c702 fix(exec): "always" means the same command',
  'model anthropic/claude-opus-4-5-20251101',
  '{"keyboard":"qwerty","monkey":"see","keys":["a","b"]}',
  '{"idempotencyKey":"run-12-18789-3","publicKey":"see the docs"}',
  'tokens: 12 of 200000, cookies are off',
  'https://registry.example.org/x/-/x-1.2.3.tgz',
  'image@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'UTF-8 key-value store, on-key-down',
  'Ünïcödé key — “token”',
  '12:30:45 a:b:c 127.0.0.1:18789',
  'the author@example.org wrote: password',
  'Cookie policy: see below',
  'authorization: pending',
  'node -p "1+1"',
  'mysql -p mydb',
  'tar -xzf a.tgz -C /tmp',
  'unzip -p a.zip',
  'arn:aws:iam::123456789012:role/Admin',
  'i18n_key_name = menu.file.open',
];
