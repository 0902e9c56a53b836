import type { Language } from './label.ts'

/** How long somebody waits, in words: no more exact than it can be true. @param seconds - undefined or null while nobody knows */
export const waitText = (seconds: number | undefined | null, language: Language): string => {
  const isChinese = language === 'zh'
  if (seconds === undefined || seconds === null) return isChinese ? '等待时间暂时无法估计' : 'the time cannot be told just now'
  if (seconds < 60) return isChinese ? '预计不到 1 分钟' : 'less than a minute'
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return isChinese ? `预计约 ${minutes} 分钟` : `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  const hours = Math.floor(minutes / 60)
  const rest = Math.ceil((minutes % 60) / 5) * 5
  if (rest === 0 || rest === 60) {
    const whole = rest === 60 ? hours + 1 : hours
    return isChinese ? `预计约 ${whole} 小时` : `about ${whole} ${whole === 1 ? 'hour' : 'hours'}`
  }
  return isChinese ? `预计约 ${hours} 小时 ${rest} 分钟` : `about ${hours} h ${rest} min`
}
