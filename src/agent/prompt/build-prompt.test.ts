// The system prompt: its sections, their order, and the same text for the same input.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildSystemPrompt } from './build-prompt.ts';
import { createPromptCache } from './prompt-cache.ts';
import type { PromptInput } from './prompt-input.ts';

const input: PromptInput = {
  mode: 'full',
  agent: { id: 'main', name: 'Ada' },
  workspaceDir: '/home/me/clawd',
  timezone: 'Europe/Berlin',
  docsPath: '/opt/docs',
  owners: ['+491'],
  replyTags: true,
  extra: 'You are in a group.',
  tools: [
    { name: 'zebra', summary: 'stripes' },
    { name: 'alpha', summary: 'first' },
    { name: 'edit', summary: 'change' },
    { name: 'read', summary: 'look' },
  ],
  skills: [{ name: 'weather', description: 'Tells the weather', path: '/home/me/clawd/skills/weather/SKILL.md' }],
  contextFiles: [
    { name: 'AGENTS.md', text: 'Rules.', cut: 0 },
    { name: 'SOUL.md', text: 'Kind.', cut: 0 },
  ],
  runtime: {
    host: 'box',
    os: 'linux',
    node: 'v24',
    model: 'openai/gpt-5',
    channel: 'webchat',
    capabilities: ['typing', 'edit'],
    thinking: 'low',
  },
};

const headings = (prompt: string): string[] => [...prompt.matchAll(/^#{1,2} (.+)$/gm)].map((match) => match[1]!);

test('full: every section that applies, in the documented order', () => {
  const prompt = buildSystemPrompt(input);
  assert.deepEqual(headings(prompt), [
    'Tooling',
    'Tool Call Style',
    'Skills',
    'Workspace',
    'Documentation',
    'User Identity',
    'Current Date & Time',
    'Reply Tags',
    'Messaging',
    'Context of this conversation',
    'Workspace Files',
    'Project Context',
    'Silent Replies',
    'Runtime',
  ]);
  assert.match(prompt, /^You are Ada, a personal assistant/);
  assert.match(prompt, /SOUL\.md says who you are/);
  assert.match(
    prompt,
    /agent=main \| host=box \| os=linux \| node=v24 \| model=openai\/gpt-5 \| channel=webchat \| capabilities=edit,typing \| thinking=low$/,
  );
});

test('a sandboxed agent gets a note between its workspace and the documentation, in both modes', () => {
  const boxed = (over: Partial<NonNullable<PromptInput['sandbox']>> = {}, mode: PromptInput['mode'] = 'full'): string =>
    buildSystemPrompt({
      ...input,
      mode,
      sandbox: { workspaceAccess: 'none', network: false, elevated: false, ...over },
    });
  for (const [mode, after] of [
    ['full', 'Documentation'],
    ['minimal', 'Current Date & Time'],
  ] as const) {
    const found = headings(boxed({}, mode));
    assert.deepEqual(found.slice(found.indexOf('Sandbox') - 1, found.indexOf('Sandbox') + 2), [
      'Workspace',
      'Sandbox',
      after,
    ]);
  }
  assert.match(boxed(), /empty folder of its own.*no network/);
  assert.doesNotMatch(boxed(), /elevated/);
  assert.match(
    boxed({ workspaceAccess: 'ro', network: true, elevated: true }),
    /cannot be changed\. Commands reach the network\..*`elevated`/,
  );
  assert.doesNotMatch(buildSystemPrompt(input), /Sandbox/);
});

test('minimal: what an agent started by another needs; none: who it is', () => {
  assert.deepEqual(headings(buildSystemPrompt({ ...input, mode: 'minimal' })), [
    'Tooling',
    'Tool Call Style',
    'Workspace',
    'Current Date & Time',
    'Context of this conversation',
    'Workspace Files',
    'Project Context',
    'Runtime',
  ]);
  assert.equal(buildSystemPrompt({ ...input, mode: 'none' }).split('\n').length, 1);
});

test('tools: the everyday ones first, the others by name, whatever order they come in', () => {
  const listed = [...buildSystemPrompt(input).matchAll(/^- (\w+): /gm)].map((match) => match[1]);
  assert.deepEqual(listed.slice(0, 4), ['read', 'edit', 'alpha', 'zebra']);
  assert.equal(buildSystemPrompt({ ...input, tools: input.tools.toReversed() }), buildSystemPrompt(input));
});

test('what features add stands before the facts of the turn; an agent that another started goes without it', () => {
  const more = { ...input, sections: ['## Heartbeats\nNow and then.', '## Weather\nAsk first.'] };
  assert.deepEqual(headings(buildSystemPrompt(more)).slice(-4), ['Silent Replies', 'Heartbeats', 'Weather', 'Runtime']);
  for (const without of [input, { ...more, sections: [] }, { ...more, mode: 'minimal' } as const])
    assert.doesNotMatch(buildSystemPrompt(without), /Heartbeats|Weather/);
});

test('sections with nothing to say leave no trace', () => {
  const bare = buildSystemPrompt({
    ...input,
    tools: [],
    skills: [],
    contextFiles: [],
    docsPath: undefined,
    owners: [],
    replyTags: false,
    extra: ' ',
  });
  assert.deepEqual(headings(bare), [
    'Tooling',
    'Workspace',
    'Current Date & Time',
    'Messaging',
    'Silent Replies',
    'Runtime',
  ]);
  assert.doesNotMatch(bare, /\n\n\n/);
});

test('skills are offered only to an agent that can read them', () => {
  assert.doesNotMatch(buildSystemPrompt({ ...input, tools: [{ name: 'alpha', summary: 'x' }] }), /## Skills/);
});

test('model aliases are listed for an agent that can change its model', () => {
  const named = { ...input, modelAliases: { quick: 'openai/gpt-5-mini', best: 'anthropic/claude-opus-4-6' } };
  assert.doesNotMatch(buildSystemPrompt(named), /Model Aliases/);
  const able = buildSystemPrompt({ ...named, tools: [{ name: 'session_status', summary: 'x' }] });
  assert.match(
    able,
    /## Model Aliases\n.*\n- best: anthropic\/claude-opus-4-6\n- quick: openai\/gpt-5-mini\n\n## Workspace/,
  );
  assert.doesNotMatch(
    buildSystemPrompt({ ...named, mode: 'minimal', tools: [{ name: 'session_status', summary: 'x' }] }),
    /Model Aliases/,
  );
});

test('the cache answers the very same text until something changes', () => {
  const cache = createPromptCache();
  const first = cache.build(input);
  assert.equal(cache.build({ ...input, tools: [...input.tools] }), first);
  assert.notEqual(cache.build({ ...input, contextFiles: [{ name: 'AGENTS.md', text: 'New rules.', cut: 0 }] }), first);
  assert.notEqual(cache.build({ ...input, timezone: 'UTC' }), cache.build(input));
});
