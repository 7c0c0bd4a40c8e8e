/** Tokens: read only from the URL fragment, and never sent to another gateway. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredentials, takeTokenFromFragment, tokenIn } from './credentials.ts';

class MemoryStorage {
  readonly items = new Map<string, string>();
  get length(): number {
    return this.items.size;
  }
  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.items.set(key, value);
  }
  removeItem(key: string): void {
    this.items.delete(key);
  }
  clear(): void {
    this.items.clear();
  }
  key(): null {
    return null;
  }
}

test('the fragment gives the token and loses it', () => {
  assert.deepEqual(takeTokenFromFragment('#token=a%2Bb'), { token: 'a+b', rest: '' });
  assert.deepEqual(takeTokenFromFragment('#token=x&view=1'), { token: 'x', rest: '#view=1' });
  assert.deepEqual(takeTokenFromFragment(''), { rest: '' });
  assert.deepEqual(takeTokenFromFragment('#token='), { rest: '' });
});

test('a pasted address counts as the token in it', () => {
  assert.equal(tokenIn(' abc '), 'abc');
  assert.equal(tokenIn('http://127.0.0.1:18789/#token=abc'), 'abc');
});

test('the shared token lives in the tab, the device token in the browser, each under its gateway', () => {
  const tab = new MemoryStorage();
  const lasting = new MemoryStorage();
  const mine = createCredentials('ws://a/', { tab, lasting });
  mine.setSharedToken('shared');
  mine.setDeviceToken('device');
  assert.deepEqual([...lasting.items.values()], ['device']);
  assert.deepEqual([...tab.items.values()], ['shared']);
  const other = createCredentials('ws://b/', { tab, lasting });
  assert.equal(other.sharedToken(), undefined);
  assert.equal(other.deviceToken(), undefined);
  mine.setDeviceToken(undefined);
  assert.equal(mine.deviceToken(), undefined);
});
