import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', 'web')

it('[S9.17] layouts change at 768, 992 and 1200 px and nowhere else', () => {
  const files = ['index.html', ...globSync('src/**/*.{css,ts,tsx}', { cwd: root })]
  const others = files.flatMap(file =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\((min|max)-width: *([\d.]+)px\)/g)]
      .filter(([, side, width]) => ![768, 992, 1200].includes(Number(width) + (side === 'max' ? 1 : 0)))
      .map(([whole]) => `${file}: ${whole}`),
  )
  expect(others).toEqual([])
})
