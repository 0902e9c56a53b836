import { expect, test } from 'vitest'
import { sceneOf } from '#contract/message/scenes.ts'
import { variablesOf } from '#contract/message/wording.ts'
import { registeredText, type SmsTemplate, smsTemplates } from './sms.ts'

test('every text message of the product is an event with words in both languages, and names what the event knows', () => {
  const told = (Object.keys(smsTemplates) as SmsTemplate[]).map(key => {
    const scene = sceneOf(key)
    const known = scene?.variables.map(({ name }) => name) ?? []
    return {
      key,
      hasWords: (scene?.label.zh ?? '') !== '' && (scene?.label.en ?? '') !== '',
      strange: variablesOf(registeredText(key, 'https://exam.example.cn')).filter(name => !known.includes(name)),
    }
  })
  expect(told.filter(({ hasWords, strange }) => !hasWords || strange.length > 0)).toEqual([])
})
