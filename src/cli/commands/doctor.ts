/** `doctor`: checks the installation and suggests fixes. */
import { asAppError } from '../../core/errors.ts';
import type { Call } from '../command.ts';
import { openConfig } from '../config-file.ts';
import { featureFiles } from '../feature-files.ts';
import type { Check, Finding, Patient } from '../doctor/check.ts';
import { channelChecks } from '../doctor/channel-checks.ts';
import { configChecks } from '../doctor/config-checks.ts';
import { gatewayChecks } from '../doctor/gateway-checks.ts';
import { routeChecks } from '../doctor/route-checks.ts';
import { machineChecks } from '../doctor/machine-checks.ts';
import { stateChecks } from '../doctor/state-checks.ts';
import { paintOf } from '../paint.ts';
import { createSpinner } from '../spinner.ts';

const OWN: readonly Check[] = [
  ...machineChecks,
  ...stateChecks,
  ...configChecks,
  ...gatewayChecks,
  ...channelChecks,
  ...routeChecks,
];
const MARKS = { ok: ['green', 'ok  '], warn: ['yellow', 'warn'], fail: ['red', 'FAIL'] } as const;

export async function doctor(call: Call): Promise<number> {
  const { io, flags } = call;
  const env = io.env();
  await using store = await openConfig(env);
  const patient: Patient = { env, config: store.snapshot(), gateway: await connect(call), repair: flags.has('repair') };
  const paint = paintOf(io, io.stdout);
  const findings: (Finding & { readonly name: string })[] = [];
  const further = await featureFiles<{ readonly checks: readonly Check[] }>('doctor');
  using spinner = createSpinner(io);
  for (const check of [...OWN, ...further.flatMap(({ module }) => module.checks)]) {
    spinner.say(check.name);
    findings.push({ name: check.name, ...(await runCheck(check, patient)) });
  }
  spinner.rest();
  if (flags.has('json')) io.out(JSON.stringify(findings, null, 2));
  else
    for (const { name, level, detail, fix } of findings)
      io.out(
        `${paint(MARKS[level][0], MARKS[level][1])}  ${name}: ${detail}${fix === undefined ? '' : `\n      → ${fix}`}`,
      );
  return findings.some((finding) => finding.level === 'fail') ? 1 : 0;
}

async function connect(call: Call): Promise<Patient['gateway']> {
  try {
    return { link: await call.gateway() };
  } catch (error) {
    return { problem: asAppError(error).message };
  }
}

/** A check that throws is itself a finding; the other checks still run. */
async function runCheck(check: Check, patient: Patient): Promise<Finding> {
  try {
    return await check.run(patient);
  } catch (error) {
    return { level: 'fail', detail: asAppError(error).message };
  }
}
