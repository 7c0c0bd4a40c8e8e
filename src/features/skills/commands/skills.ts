/** `skills list|show`: the skills of an agent, what each lacks, and the text of one. */
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { columns, listing } from '../../../cli/columns.ts';
import type { Call } from '../../../cli/command.ts';
import { terminalLine, terminalText } from '../../../cli/terminal-text.ts';
import type { AgentSkill, SkillAnswers } from '../answers.ts';

/** Characters of a description in the table. */
const SHOWN = 80;

export async function skillsList({ io, flags, gateway }: Call): Promise<void> {
  const agentId = flags.text('agent');
  const answer = await (await gateway()).request<SkillAnswers['skills.list']>('skills.list', present({ agentId }));
  if (flags.has('json')) return io.out(JSON.stringify(answer, null, 2));
  const rows = answer.skills.map((skill) => [
    skill.name,
    stateOf(skill),
    skill.from,
    terminalLine(skill.description, SHOWN),
  ]);
  io.out(
    listing(
      ['skill', 'state', 'from', 'description'],
      rows,
      `No skills. Put them into ${answer.folders.join(' or ')}.`,
    ),
  );
}

export async function skillsShow({ args, io, flags, gateway }: Call): Promise<void> {
  const [name, agentId] = [args[0]!, flags.text('agent')];
  const link = await gateway();
  const { skills } = await link.request<SkillAnswers['skills.list']>('skills.list', present({ agentId }));
  const skill = skills.find((one) => one.name === name);
  if (!skill)
    throw new AppError('not_found', `Unknown skill ${JSON.stringify(name)}. \`skills list\` lists the skills.`);
  const { content } = await link.request<SkillAnswers['skills.read']>('skills.read', present({ name, agentId }));
  if (flags.has('json')) return io.out(JSON.stringify({ ...skill, content }, null, 2));
  io.out(columns(facts(skill)));
  io.out(`\n${terminalText(content).trimEnd()}`);
}

function stateOf({ enabled, requirements }: AgentSkill): string {
  const missing = requirements.filter(({ met }) => !met).map(({ name }) => name);
  if (!enabled) return 'off';
  return missing.length === 0 ? 'ready' : `needs ${missing.join(', ')}`;
}

const facts = (skill: AgentSkill): readonly (readonly string[])[] => [
  ['Skill', skill.name],
  ['State', stateOf(skill)],
  ['File', skill.path],
  ...skill.requirements.map(({ kind, name, met, install }) => [
    'Needs',
    `${kind} ${name}: ${met ? 'there' : ['missing', ...install].join('; ')}`,
  ]),
];
