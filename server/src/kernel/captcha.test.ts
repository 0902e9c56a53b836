import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createCaptcha, newCaptchaText } from './captcha.ts'

test('captcha › five unmistakable characters, new each time', () => {
  const texts = Array.from({ length: 200 }, newCaptchaText)
  expect(texts.every(text => /^[A-Z3-9]{5}$/.test(text) && !/[BIOSZ0125]/.test(text))).toBe(true)
  expect(new Set(texts).size).toBeGreaterThan(190)
})

test('captcha › a PNG data URL of the size asked for, with ink in it, never the same twice', async () => {
  const size = { width: 130, height: 48 }
  const [first, second] = await Promise.all([createCaptcha('ACDE3', size), createCaptcha('ACDE3', size)])
  const image = sharp(Buffer.from(first.replace('data:image/png;base64,', ''), 'base64'))
  expect(await image.metadata()).toMatchObject({ format: 'png', width: 130, height: 48 })
  expect((await image.stats()).channels[0]?.stdev).toBeGreaterThan(20)
  expect(second).not.toBe(first)
})
