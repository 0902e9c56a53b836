export type Greeting = 'morning' | 'noon' | 'afternoon' | 'evening' | 'night'

/** By the hour in Asia/Shanghai, where everybody works. */
export const greetingOf = (nowMs: number): Greeting => {
  const hour = new Date(nowMs + 8 * 3_600_000).getUTCHours()
  return hour < 5 ? 'night' : hour < 11 ? 'morning' : hour < 14 ? 'noon' : hour < 18 ? 'afternoon' : 'evening'
}
