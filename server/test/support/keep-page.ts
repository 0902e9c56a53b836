import { mkdirSync, writeFileSync } from 'node:fs'

/** Printed pages to look at, where somebody asked for them with `KAOPU_PAGES=<folder>`. */
export const keepPage = (name: string, bytes: Buffer): void => {
  const folder = process.env['KAOPU_PAGES']
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/${name}.pdf`, bytes)
}
