import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folders = ['web/src', 'contract/src']
/** Texts that say of somebody else that a message has come. */
const claims = /(?:本人|账号|考生|人员|对方)[^'‘’“”，。；]{0,6}已(?:收到|知悉|告知)|was told by text message/

test('no text claims that somebody has received what was only sent: it says what was sent, and the provider says the rest', () => {
  const found = folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
      .flatMap(name =>
        readFileSync(`${folder}/${name}`, 'utf8')
          .split('\n')
          .filter(line => claims.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line))
          .map(line => `${folder}/${name}: ${line.trim().slice(0, 120)}`),
      ),
  )
  expect(found).toEqual([])
})
