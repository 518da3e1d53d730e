import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { fileTypes, hostileFiles, type FileType } from '../support/hostile-files.ts';
import { startWorkClock } from '../support/work-clock.ts';

describe('a file that stands for much', () => {
  const api = useApi('sqlite', {});
  const upload = async (type: FileType, payload: Buffer) => {
    const { key, token } = api.owner;
    const answer = await api.service.server.inject({
      method: 'POST',
      url: '/0.1.0/data/file?name=Sales&header=true',
      headers: { authorization: `Bearer ${key}:${token}`, 'content-type': fileTypes[type] },
      payload,
    });
    return { status: answer.statusCode, body: answer.body };
  };

  it('is refused with row and column, or what is wrong, while others are answered; nothing of it is left', async () => {
    const before = process.memoryUsage().rss;
    let longest = 0;
    let clock = startWorkClock();
    const pulse = setInterval(() => {
      longest = Math.max(longest, clock.passedMs());
      clock = startWorkClock();
    }, 5);
    for (const { name, type, make, says } of hostileFiles) {
      const bytes = make();
      clock = startWorkClock();
      const answers = await Promise.all([upload(type, bytes), upload('csv', Buffer.from('a\n1\n'))]);
      expect(
        answers.map(({ status }) => status),
        `${name}: ${answers[0].body}`,
      ).toEqual([400, 200]);
      expect(answers[0].body, name).toMatch(says);
    }
    clearInterval(pulse);
    expect(longest).toBeLessThan(1000);
    expect((process.memoryUsage().rss - before) / 1024 ** 2).toBeLessThan(300);
    expect(readdirSync(join(api.service.dataDir, 'uploads'))).toEqual([]);
  });
});
