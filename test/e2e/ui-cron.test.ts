/**
 * The cron page in a real Chromium: calendar, jobs and results, the schedule form, and all of it with a real gateway.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { sampleChannels } from '../../ui/dev/fake-channels.ts';
import { manyJobs, sampleCron } from '../../ui/dev/sample-cron.ts';
import { becomes, harnessOfCases, REAL_TOKEN, skipWithoutChromium, TOKEN } from './ui-harness.ts';
import { sharedGateway, sharedPage } from './ui-shared-page.ts';

const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };
const WHERE = { timezoneId: 'Europe/Berlin', locale: 'en-GB' };
const FITS =
  'document.scrollingElement.scrollWidth <= innerWidth && document.querySelector("main").scrollWidth <= innerWidth';

describe('cron page', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();
  const shared = sharedPage(harness, WHERE);

  const page = (options: { readonly jobs?: typeof sampleCron; readonly path?: string } = {}) =>
    shared.at(
      options.path ?? '/cron',
      options.path === '/overview' ? '.coming' : 'claw-cron .column.cron',
      ({ state: { channels, cron } }) => {
        sampleChannels(channels);
        (options.jobs ?? sampleCron)(cron);
      },
    );
  const job = (name: string): string => `.cron-job:has(.job-name:has-text("${name}"))`;

  test('a row per job says when it comes next and how it went, the next one first', async () => {
    const { page: here } = await page();
    const due = await here.evaluate<string[]>(
      `[...document.querySelectorAll('.job-next time')].map(({ dateTime }) => dateTime)`,
    );
    assert.equal(due.length, 5);
    assert.deepEqual(due, due.toSorted());
    await here.waitForSelector(`${job('Morning report')} .mark:text-is("succeeded")`);
    await here.waitForSelector(`${job('Back up')} .mark:text-is("failed 3 times")`);
    await here.waitForSelector(`${job('Week in review')} .job-trouble:has-text("matrix")`);
    await here.waitForSelector(`${job('Rent')} .job-trouble:has-text("Choose another model")`);
    assert.equal(await here.locator(`${job('Sort the inbox')} time[datetime]`).count(), 1);
  });

  test('the calendar condenses busy days, tells a day in full, and leads to the job', async () => {
    const { page: here } = await page();
    await here.waitForSelector(`.calendar-zone:text-is("${Intl.DateTimeFormat().resolvedOptions().timeZone}")`);
    await here.waitForSelector('.month .day-line');
    assert.equal(await here.locator('.month .day').count(), 42);
    const later = here.locator('.month tbody tr:nth-child(2) td:nth-child(6) .day');
    await later.click();
    await here.waitForSelector('.day-list .day-instants:has-text("×48")');
    await here.waitForSelector('.day-list .day-row:has-text("Back up the notes") time');
    await here.click('.day-list .day-row:has-text("Back up the notes")');
    await here.waitForSelector('#job-job-backup.open .job-text');
  });

  test('by keyboard: arrows walk over the days, page keys turn months', async () => {
    const { page: here } = await page();
    await here.waitForSelector('.month .day-line');
    await here.focus('.day.today');
    const first = await here.textContent('.calendar-month');
    await here.keyboard.press('ArrowDown');
    await becomes(
      here,
      `document.activeElement.matches('.day[aria-pressed="true"]') && !document.activeElement.matches('.today')`,
    );
    await here.keyboard.press('PageDown');
    await becomes(
      here,
      `document.querySelector('.calendar-month').textContent !== ${JSON.stringify(first)} && document.activeElement.dataset.day.endsWith('-01')`,
    );
    await here.click('.calendar-head .button:text("Today")');
    await becomes(here, `document.querySelector('.calendar-month').textContent === ${JSON.stringify(first)}`);
  });

  test('history: bars, reasons, the timeline of a run and its conversation', async () => {
    const { page: here, gateway } = await page({ path: '/cron?id=job-morning' });
    const last = gateway.state.cron.runs.at(-1)!;
    gateway.state.timelines.set(String(last['runId']), [
      { stage: 'accepted', at: Date.now(), ms: 1, detail: 'cron', ok: true },
    ]);
    await here.waitForSelector('.run-chart rect.bad');
    assert.match(
      (await here.getAttribute('.run-chart svg', 'aria-label')) ?? '',
      /The last 34 runs: 30 succeeded, 3 failed, 1 skipped/,
    );
    await here.waitForSelector('.history-note:has-text("rate_limited")');
    assert.equal(await here.locator('.history-table .history-at').count(), 8);
    await here.click('.history .button:text("Show earlier runs")');
    await becomes(here, `document.querySelectorAll('.history-table .history-at').length === 34`);
    await here.locator('.history-links .link:text("Timeline")').first().click();
    await here.waitForSelector('dialog.timeline .timeline-row');
    await here.click('dialog.timeline [aria-label="Close"]');
    await here.locator('.history-links .link:text("Open")').first().click();
    await becomes(here, `location.search.includes('cron:job-morning')`);
  });

  test('switched off, run now, removed after a question; ends show at once', async () => {
    const { page: here, gateway } = await page({ path: '/cron?id=job-inbox' });
    const { cron } = gateway.state;
    await here.waitForSelector('#job-job-inbox .job-actions');
    await here.click('#job-job-inbox .button:text("Run now")');
    await here.waitForSelector('#job-job-inbox .mark:text-is("running")');
    cron.finish('job-inbox', { status: 'error', error: 'the model said no' });
    await here.waitForSelector('#job-job-inbox .history-note:has-text("the model said no")');
    await here.click('#job-job-inbox .switch');
    await here.waitForSelector('#job-job-inbox .mark:text-is("off")');
    assert.equal(cron.jobs.find(({ id }) => id === 'job-inbox')?.enabled, false);
    await here.click('#job-job-inbox .button:text("Remove")');
    await here.click('dialog button:text("Cancel")');
    assert.ok(cron.jobs.some(({ id }) => id === 'job-inbox'));
    await here.click('#job-job-inbox .button:text("Remove")');
    await here.click('dialog button:text("Remove")');
    await here.waitForSelector('#job-job-inbox', { state: 'detached' });
    assert.deepEqual(
      gateway.requests
        .filter(({ method }) => /cron\.(run|update|remove)$/.test(method))
        .map(({ method, params }) => [method, params]),
      [
        ['cron.run', { id: 'job-inbox', mode: 'force' }],
        ['cron.update', { id: 'job-inbox', patch: { enabled: false } }],
        ['cron.remove', { id: 'job-inbox' }],
      ],
    );
  });

  test('the form shows what it understood while one types, and sends what it showed', async () => {
    const { page: here, gateway } = await page();
    await here.click('.cron-head .button:text("New job")');
    await becomes(here, `document.activeElement?.id === 'job-when'`);
    await here.keyboard.type('every now and then');
    await here.waitForSelector('claw-when .form-problem:has-text("is no time I can read")');
    await here.fill('#job-when', 'every weekday at 7');
    await here.waitForSelector('.when-words:has-text("every weekday at 07:00")');
    assert.equal(await here.locator('.instants time').count(), 3);
    const asked = gateway.requests.filter(({ method }) => method === 'cron.preview').length;
    assert.ok(asked <= 3, `${asked} questions for two phrases`);
    await here.click('.job-form button[type="submit"]');
    await here.waitForSelector('.form-problem:text("Enter a task.")');
    await here.fill('#job-message', 'Tell me the news');
    await here.selectOption('#job-deliver', 'telegram');
    await here.fill('#job-to', '4711');
    await here.click('.form-more summary');
    await here.fill('#job-model', 'x/none');
    gateway.state.cron.refuse = { message: 'payload.model: there is no model "x/none"' };
    await here.click('.job-form button[type="submit"]');
    await here.waitForSelector('.form-problem:text("there is no model")');
    await here.fill('#job-model', '');
    await here.click('.job-form button[type="submit"]');
    await here.waitForSelector('.toast:has-text("Saved. Next run in")');
    await here.waitForSelector(`${job('Tell me the news')}.open`);
    const sent = gateway.requests.findLast(({ method }) => method === 'cron.add')!.params;
    assert.deepEqual(sent, {
      schedule: { kind: 'cron', expr: '0 7 * * 1-5' },
      sessionTarget: 'isolated',
      payload: { kind: 'agentTurn', message: 'Tell me the news', deliver: true, channel: 'telegram', to: '4711' },
    });
  });

  test('a change sends what changed and leaves the schedule alone', async () => {
    const { page: here, gateway } = await page({ path: '/cron?id=job-morning' });
    await here.click('#job-job-morning .button:text("Edit")');
    await here.waitForSelector('.when-words:has-text("every weekday at 07:00")');
    await here.fill('#job-message', 'Three lines, no more.');
    await here.click('.job-form button[type="submit"]');
    await here.waitForSelector('#job-job-morning .job-text:text("Three lines, no more.")');
    assert.deepEqual(gateway.requests.findLast(({ method }) => method === 'cron.update')?.params, {
      id: 'job-morning',
      patch: { payload: { kind: 'agentTurn', message: 'Three lines, no more.' } },
    });
  });

  test('nothing scheduled: two examples that open the form', async () => {
    const { page: here } = await page({ jobs: () => undefined });
    await here.waitForSelector('.cron-empty :text("No jobs yet")');
    assert.equal(await here.locator('.cron-empty .suggestion').count(), 2);
    await here.click('.suggestion:has-text("in 20 minutes")');
    await here.waitForSelector('.instants time');
    assert.equal(await here.inputValue('#job-when'), 'in 20 minutes');
    await here.keyboard.press('Escape');
    await here.waitForSelector('claw-job-form', { state: 'detached' });
  });

  test('a file in trouble and a scheduler that is off are said with what to do', async () => {
    const { page: here, gateway } = await page();
    gateway.state.cron.status = {
      enabled: false,
      nextWakeAtMs: null,
      problem: 'Line 14: a comma is missing. Repair it.',
    };
    gateway.emit('cron', { action: 'updated', jobId: 'job-morning' });
    await here.waitForSelector('.strip.bad:has-text("Line 14: a comma is missing. Repair it.")');
    await here.waitForSelector('.strip.warn:has-text("cron.enabled: true")');
    await here.waitForSelector('.cron-fact b.bad:text-is("off")');
  });

  test('thousands of jobs come in pages, and are found', async () => {
    const { page: here, gateway } = await page({ jobs: (cron) => manyJobs(cron, 3000) });
    await here.waitForSelector('.pager:has-text("1 to 25 of 3,000")');
    assert.equal(await here.locator('.cron-job').count(), 25);
    await here.click('.pager .button:text("Next")');
    await here.waitForSelector('.pager:has-text("26 to 50")');
    await here.fill('.jobs-bar input', 'number 2999');
    await becomes(here, `document.querySelectorAll('.cron-job').length === 1`);
    assert.ok(
      gateway.requests
        .filter(({ method }) => method === 'cron.list')
        .every(({ params }) => Number(params['limit']) <= 50),
      'never all at once',
    );
  });

  test('a device that may only read sees everything and changes nothing', async () => {
    const gateway = await harness.gateway();
    sampleCron(gateway.state.cron);
    gateway.state.scopes = ['operator.read'];
    const here = await harness.open(`${gateway.url}/cron?id=job-morning#token=${TOKEN}`, WHERE);
    await here.waitForSelector('#job-job-morning .run-chart');
    assert.deepEqual(
      [
        await here.locator('.switch').count(),
        await here.locator('.job-actions').count(),
        await here.locator('.cron-head .button').count(),
      ],
      [0, 0, 0],
    );
  });

  test('fits a phone, where the month is a list of the next days', async () => {
    const gateway = await harness.gateway();
    sampleCron(gateway.state.cron);
    const here = await harness.open(`${gateway.url}/cron?id=job-morning#token=${TOKEN}`, { ...WHERE, ...PHONE });
    await here.waitForSelector('.agenda-line');
    await here.waitForSelector('.run-chart');
    assert.equal(await here.isVisible('.month'), false);
    assert.equal(await here.evaluate<boolean>(FITS), true);
    await here.click('.cron-head .button:text("New job")');
    await here.waitForSelector('.job-form');
    assert.equal(await here.evaluate<boolean>('document.querySelector(".job-form").scrollWidth <= innerWidth'), true);
  });

  test('the overview tells what comes next and how the last look went', async () => {
    const { page: here } = await page({ path: '/overview' });
    assert.equal(await here.locator('.coming .row').count(), 3);
    await here.waitForSelector('.coming-look:has-text("ok")');
    await here.click('.coming .link:has-text("Call the plumber")');
    await here.waitForSelector('#job-job-call.open');
  });
});

describe('cron page on the real gateway', {
  skip: skipWithoutChromium,
}, () => {
  const harness = harnessOfCases();
  const shared = sharedGateway(harness, { offline: true }, WHERE);

  test('one clock a row: a job is told in the zone its words name, the calendar in that of the person, whatever the browser’s is', async () => {
    await using gateway = await startGateway({
      offline: true,
      config: { agents: { defaults: { userTimezone: 'Asia/Tokyo' } } },
    });
    {
      await using chat = await gateway.connect();
      const payload = { kind: 'systemEvent', text: 'tick' };
      await chat.call('cron.add', { name: 'Mine', schedule: 'every day at 7:00', sessionTarget: 'main', payload });
      await chat.call('cron.add', {
        name: 'Theirs',
        schedule: { kind: 'cron', expr: '0 9 * * *', tz: 'America/New_York' },
        sessionTarget: 'main',
        payload,
      });
    }
    const here = await harness.open(`http://127.0.0.1:${gateway.instance.port}/cron#token=${REAL_TOKEN}`, {
      timezoneId: 'Australia/Adelaide',
      locale: 'en-GB',
    });
    const row = (name: string): Promise<string | null> =>
      here.textContent(`.job-head:has(.job-name:has-text("${name}"))`);
    await here.waitForSelector('.calendar-zone:text-is("Asia/Tokyo")');
    assert.match((await row('Mine'))!, /every day at 07:00 \(Asia\/Tokyo\).* 07:00/s);
    assert.match((await row('Theirs'))!, /every day at 09:00 \(America\/New_York\).* 09:00/s);
    await here.waitForSelector('.month .day-line:has-text("Mine") .day-at:text-is("07:00")');
    assert.match(
      (await here.textContent('.month .day-line:has-text("Theirs") .day-at'))!,
      /^2[23]:00$/,
      'nine in New York, by the clock of Tokyo',
    );
    assert.match((await here.getAttribute('.calendar-zone', 'title'))!, /your browser uses Australia\/Adelaide/);
    const today = new Date().toLocaleDateString('en-CA', { timeZone: 'Asia/Tokyo' });
    await here.waitForSelector(`.day.today[data-day="${today}"]`);
    await here.click('.job-head:has(.job-name:has-text("Mine"))');
    await here.click('.job-actions .button:text("Edit")');
    await here.fill('#job-when', 'tomorrow 9:00');
    await here.waitForSelector('.when-words:has-text("09:00 (Asia/Tokyo)")');
    assert.match((await here.textContent('.instants time'))!, /09:00/);
  });

  test('a job is made from words, shown in the calendar, run, looked at, changed and removed', async () => {
    const { page: here, gateway } = await shared.at('/cron', 'claw-cron .column.cron');
    await here.click('.suggestion:has-text("every weekday at 7:00")');
    await here.waitForSelector('.when-words:has-text("every weekday at 07:00")');
    assert.equal(await here.locator('.instants time').count(), 3);
    await here.fill('#job-message', 'Good morning');
    await here.click('.job-form button[type="submit"]');
    await here.waitForSelector('.cron-job.open .job-text:text("Good morning")');
    await here.waitForSelector('.month .day-line');
    await here.click('.job-actions .button:text("Run now")');
    await here.waitForSelector('.history-table .mark:text-is("succeeded")');
    await here.click('.history-links .link:text("Timeline")');
    await here.waitForSelector('dialog.timeline .timeline-row');
    await here.click('dialog.timeline [aria-label="Close"]');
    await here.click('.job-actions .button:text("Edit")');
    await here.fill('#job-when', 'every 2 hours');
    await here.waitForSelector('.when-words:has-text("every 2 hours")');
    await here.click('.form-more summary');
    await here.fill('#job-timeoutSeconds', '60');
    await here.click('.job-form button[type="submit"]');
    await here.waitForSelector('.job-name small:has-text("every 2 hours")');
    await here.waitForSelector('.job-facts:has-text("at most 60 s")');
    await here.click('.job-actions .button:text("Edit")');
    await here.click('.form-more summary');
    await here.fill('#job-timeoutSeconds', '');
    await here.click('.job-form button[type="submit"]');
    await becomes(here, `!document.querySelector('.job-facts').textContent.includes('at most')`);
    await here.click('.job-actions .button:text("Remove")');
    await here.click('dialog button:text("Remove")');
    await here.waitForSelector('.cron-empty');
    await using client = await gateway.connect();
    await until(
      async () => (await client.call<{ total: number }>('cron.list', { includeDisabled: true })).total === 0,
      'the job to be gone',
    );
  });

  test('words nobody understands are refused beside the field, and nothing is made', async () => {
    const { page: here, gateway } = await shared.at('/cron', 'claw-cron .column.cron');
    await here.click('.cron-head .button:text("New job")');
    await here.fill('#job-when', 'whenever you like');
    await here.waitForSelector('claw-when .form-problem');
    await here.fill('#job-message', 'Hello');
    await here.click('.job-form button[type="submit"]');
    await here.waitForSelector('claw-when .form-problem');
    await here.waitForSelector('.job-form');
    await using client = await gateway.connect();
    assert.equal((await client.call<{ jobs: number }>('cron.status')).jobs, 0);
  });
});
