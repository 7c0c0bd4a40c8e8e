/** The machine of a headless node host: a real message bus, a real screen, a gpsd that speaks its protocol. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { findProgram } from '../../src/platform/exec.ts';
import { hasDbus, startBus, type Answer, type TestBus } from '../../src/testing/fake-bus.ts';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';
import { approveNode, startHost, TOKEN, useNode } from './node-harness.ts';

const NO_BUS = hasDbus ? false : 'dbus-daemon is not installed';
const have = async (name: string): Promise<boolean> => (await findProgram(name, process.env['PATH'])) !== undefined;
const NO_SCREEN = (await have('Xvfb')) && (await have('ffmpeg')) ? false : 'Xvfb or ffmpeg is not installed';
const NO_CAMERA = await access('/dev/video0').then(
  () => false as const,
  () => 'this kernel has no camera and no v4l2loopback (/dev/video0)',
);
const OK: Answer = ['', []];

describe('notifications', { skip: NO_BUS }, () => {
  it('are shown by the service of the desktop, their text as text', async () => {
    await using bus = await startBus();
    const shown = await bus.serve('org.freedesktop.Notifications', ({ member }) =>
      member === 'Notify' ? ['u', [1]] : ['ssss', ['fake', 'test', '1', '1.2']],
    );
    await using gateway = await startGateway({ config: {}, token: TOKEN });
    await using chat = await gateway.connect();
    await using _host = await startHost(gateway, {}, { DBUS_SESSION_BUS_ADDRESS: bus.address });
    await approveNode(chat);
    await useNode(chat, {
      action: 'notify',
      title: '--help',
      body: 'a <b>&é',
      priority: 'timeSensitive',
      sound: 'bell',
    });
    const [, notify] = shown.calls;
    const hints = { urgency: 2, 'sound-name': 'bell' };
    assert.deepEqual(notify!.body, ['Clawdbot', 0, '', '--help', 'a &lt;b&gt;&amp;é', [], hints, -1]);
    assert.equal(notify!.signature, 'susssasa{sv}i');
    await useNode(chat, { action: 'notify', body: 'only text', priority: 'passive' });
    assert.deepEqual(shown.calls[2]!.body.slice(3), ['only text', '', [], { urgency: 0 }, -1]);
    await shown.bus[Symbol.asyncDispose]();
    const gone = await useNode(chat, { action: 'notify', body: 'x' });
    assert.match(gone, /NOTIFICATIONS_UNAVAILABLE: org\.freedesktop\.DBus\.Error\.ServiceUnknown/);
  });
});

const GEOCLUE = 'org.freedesktop.GeoClue2';

describe('places', () => {
  it('are measured by GeoClue with the accuracy that was asked for; a refusal and silence are told', {
    skip: NO_BUS,
  }, async () => {
    await using bus = await startBus();
    const state = { denies: false, silent: false };
    const set: unknown[] = [];
    await bus.serve(GEOCLUE, ({ member, body }, own) => {
      if (member === 'GetClient') return ['o', ['/client/1']];
      if (member === 'Set') {
        set.push(body[2]);
        return OK;
      }
      if (member === 'Get') return ['v', [['u', 8]]];
      if (member === 'GetAll')
        return [
          'a{sv}',
          [
            {
              Latitude: ['d', 52.5],
              Longitude: ['d', 13.4],
              Accuracy: ['d', 30],
              Speed: ['d', -1],
              Altitude: ['d', -1.7e308],
              Timestamp: ['(tt)', [1_700_000_000, 0]],
            },
          ],
        ];
      if (state.denies) return { error: 'org.freedesktop.DBus.Error.AccessDenied' };
      if (!state.silent)
        own.send({
          kind: 'signal',
          path: '/client/1',
          interface: `${GEOCLUE}.Client`,
          member: 'LocationUpdated',
          signature: 'oo',
          body: ['/', '/l/1'],
        });
      return OK;
    });
    await using gateway = await startGateway({ config: {}, token: TOKEN });
    await using chat = await gateway.connect();
    await using _host = await startHost(gateway, { location: 'geoclue' }, { DBUS_SYSTEM_BUS_ADDRESS: bus.address });
    await approveNode(chat);
    const place = await useNode(chat, { action: 'location_get', desiredAccuracy: 'precise' });
    for (const says of [
      /"?lat\\*"?: 52\.5/,
      /accuracyMeters\\*": 30/,
      /isPrecise\\*": true/,
      /2023-11-14T22:13:20/,
      /network/,
    ])
      assert.match(place, says);
    assert.doesNotMatch(place, /altitude|speed/);
    assert.deepEqual(set, ['clawdbot', 8]);
    await useNode(chat, { action: 'location_get', maxAgeMs: 600_000 });
    assert.equal(set.length, 2, 'a young place is not measured again');
    state.denies = true;
    assert.match(
      await useNode(chat, { action: 'location_get' }),
      /LOCATION_PERMISSION_REQUIRED.*Its person has to allow/,
    );
    Object.assign(state, { denies: false, silent: true });
    assert.match(await useNode(chat, { action: 'location_get', locationTimeoutMs: 50 }), /LOCATION_TIMEOUT: GeoClue/);
  });

  it('come from gpsd as soon as it has a fix; without a service the reason is told', async () => {
    const served = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('{"class":"VERSION","release":"3.22"}\n');
      socket.on('data', (data) => {
        assert.match(String(data), /^\?WATCH=/);
        socket.write(
          'nonsense\n{"class":"TPV","mode":1}\n{"class":"TPV","mode":3,"lat":91,"lon":1}\n{"class":"TPV","mo',
        );
        socket.write('de":3,"lat":48.1,"lon":11.5,"alt":520.5,"eph":4,"time":"2026-01-02T03:04:05Z"}\n');
      });
    });
    served.listen(0, '127.0.0.1');
    await once(served, 'listening');
    const { port } = served.address() as { port: number };
    await using gateway = await startGateway({ config: {}, token: TOKEN });
    await using chat = await gateway.connect();
    await using _host = await startHost(gateway, { location: `gpsd://127.0.0.1:${port}` });
    await approveNode(chat);
    const place = await useNode(chat, { action: 'location_get' });
    for (const says of [/48\.1/, /520\.5/, /2026-01-02T03:04:05Z/, /gps/]) assert.match(place, says);
    served.close();
    const off = await useNode(chat, { action: 'location_get', maxAgeMs: 0 });
    assert.match(off, /LOCATION_UNAVAILABLE: gpsd: nothing answers/);
    await using other = await startHost(gateway, { location: `gpsd://127.0.0.1:${port}`, name: 'Other' });
    const why = `not offered: location.get: LOCATION_UNAVAILABLE: gpsd: nothing answers at 127.0.0.1:${port}`;
    await until(() => other.lines.includes(why), 'the host to say why');
  });
});

describe('the screen', { skip: NO_SCREEN }, () => {
  it('is recorded from a real X server', async () => {
    const server = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '320x240x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [display] = (await once(createInterface(server.stdout!), 'line')) as [string];
      await using gateway = await startGateway({ config: {}, token: TOKEN });
      await using chat = await gateway.connect();
      await using _host = await startHost(gateway, { screen: true }, { DISPLAY: `:${display}` });
      await approveNode(chat);
      const said = await useNode(chat, { action: 'screen_record', duration: '500ms', fps: 5, outPath: 'screen.mp4' });
      assert.match(said, /FILE:screen\.mp4/);
      const { workspace } = (await chat.call('agents.list')).agents[0] ?? {};
      const film = await readFile(join(workspace ?? join(gateway.stateDir, '..', 'clawd'), 'screen.mp4'));
      assert.equal(film.subarray(4, 8).toString(), 'ftyp');
      const none = await useNode(chat, { action: 'screen_record', duration: '500ms', screenIndex: 3 });
      assert.match(none, /SCREEN_UNAVAILABLE/);
    } finally {
      const ended = server.exitCode === null ? once(server, 'exit') : undefined;
      server.kill();
      await ended;
    }
  });
});

/** A desktop whose person answers as `says`, and a GStreamer whose pictures are those of ffmpeg. */
async function waylandDesktop(bus: TestBus) {
  const says = { answer: 0 as 0 | 1 | 'nothing', sources: 1 };
  const asked: { readonly member: string; readonly options: Record<string, unknown> }[] = [];
  await bus.serve('org.freedesktop.portal.Desktop', ({ member, body, sender }, own) => {
    if (member === 'GetAll')
      return [
        'a{sv}',
        [{ version: ['u', 5], AvailableSourceTypes: ['u', says.sources], AvailableCursorModes: ['u', 7] }],
      ];
    const options = body.at(-1) as Record<string, unknown>;
    asked.push({ member: member!, options });
    const path = `/org/freedesktop/portal/desktop/request/${sender!.slice(1).replaceAll('.', '_')}/${String(options['handle_token'])}`;
    const results =
      member === 'Start'
        ? {
            streams: ['a(ua{sv})', [[42, { size: ['(ii)', [320, 240]] }]]],
            restore_token: ['s', `yes-${asked.length}`],
          }
        : member === 'CreateSession'
          ? { session_handle: ['s', '/session/1'] }
          : {};
    const code = member === 'Start' ? says.answer : 0;
    if (code !== 'nothing')
      own.send({
        kind: 'signal',
        destination: sender,
        path,
        interface: 'org.freedesktop.portal.Request',
        member: 'Response',
        signature: 'ua{sv}',
        body: [code, code === 0 ? results : {}],
      });
    return ['o', [path]];
  });
  return { says, asked };
}

/** `frames`: its person ends the sharing after so many. */
async function fakeGstreamer(dir: string, elements: string, frames = 10_000): Promise<string> {
  await writeFile(join(dir, 'gst-inspect-1.0'), `#!/bin/sh\ncase "$3" in ${elements}) exit 0;; esac; exit 1\n`);
  await writeFile(
    join(dir, 'gst-launch-1.0'),
    `#!/bin/sh\necho "$*" >> ${join(dir, 'asked')}\n` +
      'exec ffmpeg -loglevel quiet -nostdin -f lavfi -i testsrc=size=320x240:rate=5 ' +
      `-frames:v ${frames} -pix_fmt yuv420p -f yuv4mpegpipe pipe:1\n`,
  );
  for (const name of ['gst-inspect-1.0', 'gst-launch-1.0']) await chmod(join(dir, name), 0o755);
  return `${dir}:${process.env['PATH']}`;
}

const NO_WAYLAND = NO_BUS || ((await have('ffmpeg')) ? false : 'ffmpeg is not installed');

describe('the screen of a Wayland desktop (its portal and GStreamer are fakes)', { skip: NO_WAYLAND }, () => {
  it('is recorded once its person chose one; the choice is remembered, a no and silence are told', async () => {
    await using bus = await startBus();
    await using dir = await tempDir('gst');
    const { says, asked } = await waylandDesktop(bus);
    await using gateway = await startGateway({ config: {}, token: TOKEN });
    await using chat = await gateway.connect();
    const vars = {
      DBUS_SESSION_BUS_ADDRESS: bus.address,
      WAYLAND_DISPLAY: 'wayland-0',
      DISPLAY: ':0',
      PATH: await fakeGstreamer(dir.path, '*'),
    };
    await using host = await startHost(gateway, { screen: true }, vars);
    const nodeId = await approveNode(chat);
    assert.equal(asked.length, 0, 'nobody is asked before a recording');
    const said = await useNode(chat, { action: 'screen_record', duration: '500ms', fps: 5, outPath: 'wayland.mp4' });
    assert.match(said, /FILE:wayland\.mp4/);
    const { workspace } = (await chat.call('agents.list')).agents[0] ?? {};
    const film = await readFile(join(workspace ?? join(gateway.stateDir, '..', 'clawd'), 'wayland.mp4'));
    assert.equal(film.subarray(4, 8).toString(), 'ftyp');
    assert.match(await readFile(join(dir.path, 'asked'), 'utf8'), /pipewiresrc path=42 .*framerate=5\/1/);
    const { handle_token: _word, ...sources } = asked[1]!.options;
    assert.deepEqual(sources, { types: 1, multiple: false, cursor_mode: 2, persist_mode: 2 });
    await useNode(chat, { action: 'screen_record', duration: '300ms', fps: 5 });
    assert.equal(asked[4]!.options['restore_token'], 'yes-3', 'the same screen, without a dialog');
    assert.equal((await stat(join(host.stateDir, 'node', 'screen-token'))).mode & 0o777, 0o600);
    await fakeGstreamer(dir.path, '*', 3);
    const ended = await useNode(chat, { action: 'screen_record', duration: '20s', fps: 5 });
    assert.match(ended, /\(0\.6 s, without sound.*"durationMs":600\b/, 'as long as it was shared');
    const chosen = await useNode(chat, { action: 'screen_record', screenIndex: 1 });
    assert.match(chosen, /screenIndex: which screen is recorded is chosen by the person/);
    says.answer = 1;
    const no = await useNode(chat, { action: 'screen_record', duration: '300ms' });
    assert.match(
      no,
      /SCREEN_PERMISSION_REQUIRED: the person at the node did not share a screen.*Its person has to allow/,
    );
    says.answer = 'nothing';
    const silent = chat.call('node.invoke', {
      nodeId,
      command: 'screen.record',
      params: { durationMs: 300 },
      timeoutMs: 10_350,
      idempotencyKey: 'silent',
    });
    await assert.rejects(silent, /SCREEN_PERMISSION_REQUIRED: nobody at the node chose a screen/);
  });

  it('is not offered without a portal, without screens to share, or without GStreamer, each with the reason', async () => {
    await using bus = await startBus();
    await using dir = await tempDir('gst');
    await using gateway = await startGateway({ config: {}, token: TOKEN });
    const reasonOf = async (name: string, vars: Record<string, string>): Promise<string> => {
      await using host = await startHost(gateway, { screen: true, name }, { WAYLAND_DISPLAY: 'wayland-0', ...vars });
      return until(() => host.lines.find((line) => line.startsWith('not offered: screen.record')), 'the reason');
    };
    const DBUS_SESSION_BUS_ADDRESS = bus.address;
    assert.match(await reasonOf('A', {}), /the node runs Wayland, and there is no session bus/);
    assert.match(await reasonOf('B', { DBUS_SESSION_BUS_ADDRESS }), /its portal for screens does not answer/);
    const { says } = await waylandDesktop(bus);
    assert.match(
      await reasonOf('C', { DBUS_SESSION_BUS_ADDRESS, PATH: await fakeGstreamer(dir.path, 'videoconvert') }),
      /GStreamer has no pipewiresrc \(install gstreamer1\.0-tools/,
    );
    says.sources = 2;
    assert.match(await reasonOf('D', { DBUS_SESSION_BUS_ADDRESS }), /its portal shares no screens/);
  });
});

describe('the camera', { skip: NO_CAMERA }, () => {
  it('is a device of the kernel, by its name', async () => {
    await using gateway = await startGateway({ config: {}, token: TOKEN });
    await using chat = await gateway.connect();
    await using _host = await startHost(gateway, { camera: true });
    await approveNode(chat);
    assert.match(await useNode(chat, { action: 'camera_list' }), /\/dev\/video\d/);
    assert.match(await useNode(chat, { action: 'camera_snap', outPath: 'snap.jpg' }), /snap\.jpg/);
  });
});
