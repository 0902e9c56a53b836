import { expect, test, vi } from 'vitest'
import { useLangStore } from './i18n/index.ts'
import { dismiss, messageStore, notify } from './notify.ts'
import './toast-language.ts'

test('[S2.34] messages go when the language is changed: their words are of the one that was left', () => {
  vi.useFakeTimers()
  notify('success', '已保存')
  notify('warning', '请先更正标出的内容')
  expect(messageStore.getState().messages.map(message => message.text)).toEqual(['已保存', '请先更正标出的内容'])
  useLangStore.setState({ plain: null })
  expect(messageStore.getState().messages).toHaveLength(2)
  useLangStore.setState({ lang: 'en' })
  expect(messageStore.getState().messages).toEqual([])
  useLangStore.setState({ lang: 'zh' })
  vi.useRealTimers()
})

test('the same text at once is shown once; what was read and closed is said anew', () => {
  vi.useFakeTimers()
  const texts = () => messageStore.getState().messages.map(message => message.text)
  notify('error', '您不能变更这类人员')
  notify('error', '您不能变更这类人员')
  expect(texts()).toEqual(['您不能变更这类人员'])
  dismiss(messageStore.getState().messages[0]?.id ?? 0)
  expect(texts()).toEqual([])
  notify('error', '您不能变更这类人员')
  expect(texts()).toEqual(['您不能变更这类人员'])
  vi.useRealTimers()
})
