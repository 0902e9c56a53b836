import { waitText } from '#contract/kernel/wait-text.ts'
import type { ApiError } from './api-error.ts'
import { currentLang } from './i18n/index.ts'
import './hold.css'

/** Why a call waits, when nothing of it was done. */
const reasons = ['kernel/waiting-room', 'kernel/no-database'] as const
type Reason = (typeof reasons)[number]

const texts = {
  zh: {
    queue: '排队等候',
    queueText: '当前访问人数较多，已按到达先后为您排队。轮到时自动继续，您填写的内容都在。',
    ahead: (count: number) => `您前面还有 ${count} 人`,
    moved: '服务正在切换',
    movedText: '已提交的内容不会丢失，您填写的内容保存在本机。正在自动重试。',
    leave: '不再等待',
  },
  en: {
    queue: 'Waiting room',
    queueText: 'Many people are here at once. You have a place in the queue; it goes on by itself, and what you entered stays.',
    ahead: (count: number) => `${count} before you`,
    moved: 'The service is being moved',
    movedText: 'Nothing that was sent is lost, and what you entered is kept on this device. Trying again by itself.',
    leave: 'Do not wait',
  },
} as const

interface Stand {
  readonly position?: number
  readonly waitSeconds?: number | null
  readonly askAgainMs?: number
}

/** One window for all calls that wait for the same. */
let shown: { readonly reason: Reason; readonly done: Promise<boolean> } | null = null

const pause = (ms: number, left: Promise<unknown>): Promise<unknown> => Promise.race([new Promise(done => setTimeout(done, ms)), left])

const askPlace = async (): Promise<(Stand & { readonly isIn: boolean }) | null> => {
  try {
    const answer = await fetch('/api/place', { credentials: 'include', cache: 'no-store' })
    return answer.ok ? await answer.json() : null
  } catch {
    return null
  }
}

const open = (reason: Reason, first: Stand): Promise<boolean> => {
  const t = texts[currentLang()]
  const isQueue = reason === 'kernel/waiting-room'
  const window = document.createElement('dialog')
  window.className = isQueue ? 'hold' : 'hold hold-beside'
  const title = document.createElement('h2')
  title.id = 'hold-title'
  title.textContent = isQueue ? t.queue : t.moved
  window.setAttribute('aria-labelledby', title.id)
  const text = document.createElement('p')
  text.textContent = isQueue ? t.queueText : t.movedText
  const news = document.createElement('p')
  news.className = 'hold-news'
  news.setAttribute('role', 'status')
  const leave = document.createElement('button')
  leave.type = 'button'
  leave.textContent = t.leave
  window.append(title, text, news, leave)
  document.body.append(window)
  const gone = new Promise<false>(resolve => {
    leave.addEventListener('click', () => resolve(false))
    window.addEventListener('cancel', () => resolve(false))
  })
  // What is typed goes on beside a window that only says that it will be sent.
  if (isQueue) window.showModal()
  else window.show()
  const say = ({ position, waitSeconds }: Stand): void => {
    const said = position === undefined ? '' : `${t.ahead(Math.max(0, position - 1))} · ${waitText(waitSeconds, currentLang())}`
    if (news.textContent !== said) news.textContent = said
  }
  const wait = async (): Promise<boolean> => {
    let isLeft = false
    void gone.then(() => {
      isLeft = true
    })
    if (!isQueue) {
      await pause(3_000 + 2_000 * Math.random(), gone)
      return !isLeft
    }
    let stand = first
    for (let misses = 0; !isLeft; ) {
      say(stand)
      await pause((stand.askAgainMs ?? 5_000) * 2 ** Math.min(misses, 4), gone)
      const next = isLeft ? null : await askPlace()
      if (next?.isIn) return true
      misses = next === null ? misses + 1 : 0
      stand = next ?? stand
    }
    return false
  }
  return wait().finally(() => window.remove())
}

/**
 * Shows why a call waits, and waits. Nothing of the call was done, so that it may be made again as it was, with what the person typed.
 * @returns whether to make it again; false when the person does not want to wait
 */
export const hold = (error: ApiError, signal?: AbortSignal): Promise<boolean> => {
  if (signal?.aborted) return Promise.resolve(false)
  const reason = reasons.find(one => one === error.reason)
  if (reason === undefined) return Promise.resolve(false)
  if (shown?.reason !== reason) {
    const done = open(reason, (error.data ?? {}) as Stand).finally(() => {
      if (shown?.done === done) shown = null
    })
    shown = { reason, done }
  }
  return shown.done
}
