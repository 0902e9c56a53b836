import { expect, test } from 'vitest'
import { isHeic, kindOfName, mayBeNamed, withKnownEnding } from './picture-name.ts'

test('[S7.18] all endings of JPEG are one kind, and a name without an ending has none', () => {
  expect(['a.jpg', 'a.JPEG', 'a.jpe', 'a.JFIF', 'a.png', '照片', 'IMG.2026.3', 'a.tar.gz'].map(kindOfName)).toEqual([
    ...['jpg', 'jpg', 'jpg', 'jpg', 'png'],
    ...[undefined, undefined, 'gz'],
  ])
  expect(['a.jpeg', 'a.jpe', 'a.jfif', '照片', 'IMG.2026.3'].map(name => withKnownEnding(name, 'jpg'))).toEqual([
    ...['a.jpeg', 'a.jpg', 'a.jpg', '照片.jpg', 'IMG.2026.3.jpg'],
  ])
  expect([withKnownEnding('scan', 'pdf'), withKnownEnding('a.png', 'png')]).toEqual(['scan.pdf', 'a.png'])
  expect([withKnownEnding('a.b.PNG', 'jpg'), withKnownEnding('a.jfif', 'png')]).toEqual(['a.b.jpg', 'a.png'])
})

test('a picture may have the name of the other kind of picture, and no file that of another kind', () => {
  const names = ['a.jpeg', 'a.png', 'a', 'a.svg', 'a.pdf', 'a.xlsx']
  const taken = (kind: string) => names.filter(name => mayBeNamed(name, kind))
  expect([taken('jpg'), taken('png'), taken('pdf'), taken('xlsx')]).toEqual([
    ...[['a.jpeg', 'a.png', 'a'], ['a.jpeg', 'a.png', 'a'], ['a', 'a.pdf'], ['a.xlsx']],
  ])
})

test('HEIC and HEIF are known by their first bytes, other pictures of the family are not', () => {
  const file = (major: string, ...others: readonly string[]) => Buffer.from(`\0\0\0\x20ftyp${major}\0\0\0\0${others.join('')}`, 'latin1')
  const heic = [file('heic', 'mif1'), file('mif1', 'heic'), file('mif1', 'mif1'), file('msf1', 'hevc'), file('heix')]
  const others = [
    file('avif', 'mif1'),
    file('mif1', 'avif'),
    file('isom', 'mp42'),
    file('qt  '),
    Buffer.from([0xff, 0xd8, 0xff]),
    Buffer.alloc(0),
  ]
  expect([heic.map(isHeic), others.map(isHeic)]).toEqual([heic.map(() => true), others.map(() => false)])
})
