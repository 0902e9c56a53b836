import { createMemoryExchange, type Exchange } from '#kernel/admission/exchange.ts'
import { p95Of } from '#kernel/admission/load.ts'
import type { Pressure } from '#kernel/admission/pace.ts'
import { createWaitingRoom, type Standing, type Ticket, type WaitingRoom } from '#kernel/admission/waiting-room.ts'
import { type Clock, createManualClock } from '#kernel/clock.ts'

/** The same sequence for the same seed (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One call of somebody inside. */
interface Step {
  readonly name: string
  /** Processor time of the instance, milliseconds. */
  readonly workMs: number
  /** Time to think before it. */
  readonly thinkMs: number
}

export interface RushPlan {
  readonly arrivals: number
  readonly withinMs: number
  readonly seed: number
  /** What somebody inside does, with the processor time that each call takes. */
  readonly steps: readonly Step[]
  /** Processor time of an answer of the waiting room. */
  readonly askMs: number
  /** When one of two instances is killed, and when its service manager has it back. */
  readonly killAtMs: number
  readonly backAtMs: number
  /** Of 1, who close the page while they wait. */
  readonly leaving: number
  /** For comparison. */
  readonly withoutRoom?: true
}

export interface RushOutcome {
  readonly arrived: number
  readonly left: number
  /** How often each person who stayed was handed in. */
  readonly handedIn: ReadonlyMap<number, number>
  /** Milliseconds from the call to its answer, of calls inside; tries that broke off included in the call that succeeded. */
  readonly stepMs: readonly number[]
  readonly askMs: readonly number[]
  /** For each who waited: seconds promised when they first asked at a time, and seconds it took from there. */
  readonly promises: readonly { readonly atMs: number; readonly promised: number; readonly took: number }[]
  readonly longestWaitMs: number
  readonly endMs: number
  readonly asks: number
  readonly mostAsksPerSecond: number
  /** People who went in before somebody who had arrived more than three seconds earlier and was there to go in. */
  readonly overtaken: number
  readonly rates: readonly { readonly atMs: number; readonly rate: number; readonly waiting: number }[]
}

/** Events in the order of their times. */
const createAgenda = () => {
  const heap: { at: number; no: number; run: () => void }[] = []
  let count = 0
  const before = (x: number, y: number): boolean => {
    const [a, b] = [heap[x], heap[y]]
    return a !== undefined && b !== undefined && (a.at < b.at || (a.at === b.at && a.no < b.no))
  }
  const swap = (x: number, y: number): void => {
    const [a, b] = [heap[x], heap[y]]
    if (a && b) {
      heap[x] = b
      heap[y] = a
    }
  }
  return {
    add: (at: number, run: () => void): void => {
      heap.push({ at, no: count, run })
      count += 1
      for (let i = heap.length - 1; i > 0; ) {
        const parent = (i - 1) >> 1
        if (!before(i, parent)) break
        swap(i, parent)
        i = parent
      }
    },
    next: (): { at: number; run: () => void } | undefined => {
      const first = heap[0]
      const last = heap.pop()
      if (first === undefined || last === undefined || heap.length === 0) return first
      heap[0] = last
      for (let i = 0; ; ) {
        let least = i
        for (const child of [2 * i + 1, 2 * i + 2]) if (before(child, least)) least = child
        if (least === i) return first
        swap(i, least)
        i = least
      }
    },
  }
}

interface Instance {
  readonly name: string
  room: WaitingRoom
  isUp: boolean
  /** When its processor is free. */
  freeAt: number
  /** Grows with each death: answers that were on their way then never come. */
  life: number
  durations: number[]
  /** Work that has come and is not done. */
  busyMs: number
  /** Exponential mean of how late its processor is. */
  lateMs: number
}

const linkMs = 20
/** Later than somebody who came after them; less is the time between two questions of a browser. */
const overtakenMs = 15_000
const startMs = Date.parse('2026-05-11T09:00:00+08:00')

/**
 * A rush, event by event, through the admission code of the product: two instances of one processor core each, everybody at one of them by chance
 * until it does not answer. Only people, processors and the line between them are made up.
 */
export const simulateRush = async (plan: RushPlan): Promise<RushOutcome> => {
  const random = seeded(plan.seed)
  const clock = createManualClock(new Date(startMs))
  const agenda = createAgenda()
  let now = 0
  const exchange: Exchange = createMemoryExchange(() => startMs + now)
  const at: Clock = clock
  const waitingRoomOf = (instance: Omit<Instance, 'room'>): WaitingRoom =>
    createWaitingRoom(
      { mode: plan.withoutRoom ? 'off' : 'auto', most: 200, burst: 50, mostAsks: 150 },
      {
        clock: at,
        random,
        instance: instance.name,
        exchange,
        load: (): Pressure => {
          const answers = instance.durations.length < 10 ? 0 : p95Of(instance.durations)
          instance.durations = []
          const work = Math.min(1, instance.busyMs / 1_000) / 0.7
          instance.busyMs = Math.max(0, instance.busyMs - 1_000)
          return { work, loop: instance.lateMs / 100, pool: 0, answers: answers / 1_000 }
        },
        onProblem: error => {
          throw error
        },
        onTurn: () => {},
      },
    )
  const createInstance = (name: string): Instance => {
    const made = { name, isUp: true, freeAt: 0, life: 0, durations: [], busyMs: 0, lateMs: 0 }
    const instance: Instance = { ...made, room: waitingRoomOf(made) }
    instance.room = waitingRoomOf(instance)
    return instance
  }
  const instances = [createInstance('a'), createInstance('b')] as const
  const [, victim] = instances

  const pick = (): Instance => {
    const up = instances.filter(one => one.isUp)
    return up[Math.floor(random() * up.length)] ?? instances[0]
  }
  /** Runs on an instance; answers after its processor has had time for it. `fail` when the instance died meanwhile: whether it had done its work, nobody knows. */
  const ask = (instance: Instance, workMs: number, work: () => () => void, fail: () => void, isCounted: boolean): void => {
    const began = now
    const begin = Math.max(now + linkMs, instance.freeAt)
    const life = instance.life
    instance.lateMs = instance.lateMs * 0.98 + (begin - now - linkMs) * 0.02
    instance.freeAt = begin + workMs
    instance.busyMs += workMs
    agenda.add(instance.freeAt, () => {
      if (!instance.isUp || instance.life !== life) return agenda.add(now + linkMs, fail)
      const answer = work()
      if (isCounted && instance.durations.length < 5_000) instance.durations.push(now - began)
      agenda.add(now + linkMs, () => (instance.life === life ? answer() : fail()))
    })
  }

  const handedIn = new Map<number, number>()
  const keys = new Set<number>()
  const stepMs: number[] = []
  const askMs: number[] = []
  const promises: { atMs: number; promised: number; took: number }[] = []
  const rates: { atMs: number; rate: number; waiting: number }[] = []
  const went: { arrivedMs: number; at: number }[] = []
  const asksBySecond = new Map<number, number>()
  let left = 0
  let longestWaitMs = 0
  let asks = 0
  let overtaken = 0
  let lastIn = 0

  const inside = (person: number, at: number): void => {
    const step = plan.steps[at]
    if (step === undefined) return
    agenda.add(now + step.thinkMs * (0.5 + random()), () => {
      const began = now
      const attempt = (): void => {
        const instance = pick()
        ask(
          instance,
          step.workMs * (0.6 + 0.8 * random()),
          () => {
            instance.room.active(String(person))
            // One transaction with the key of the call: a repetition finds the answer of the first.
            if (at === plan.steps.length - 1 && !keys.has(person)) {
              keys.add(person)
              handedIn.set(person, (handedIn.get(person) ?? 0) + 1)
            }
            return () => {
              stepMs.push(now - began)
              inside(person, at + 1)
            }
          },
          () => agenda.add(now + 500 + 500 * random(), attempt),
          true,
        )
      }
      attempt()
    })
  }

  const arrive = (person: number): void => {
    const arrivedMs = now
    const leavesAt = random() < plan.leaving ? now + random() * 600_000 : Number.POSITIVE_INFINITY
    let ticket: Ticket | undefined
    const said: { atMs: number; promised: number }[] = []
    const goIn = (room: WaitingRoom): void => {
      room.active(String(person))
      longestWaitMs = Math.max(longestWaitMs, now - arrivedMs)
      for (const { atMs, promised } of said) promises.push({ atMs, promised, took: (now - atMs) / 1_000 })
      went.push({ arrivedMs, at: now })
      lastIn = now
      inside(person, 0)
    }
    const look = (): void => {
      if (now > leavesAt) {
        left += 1
        return
      }
      const began = now
      const instance = pick()
      asks += 1
      const second = Math.floor(now / 1_000)
      asksBySecond.set(second, (asksBySecond.get(second) ?? 0) + 1)
      ask(
        instance,
        plan.askMs,
        () => {
          const { room } = instance
          if (ticket === undefined) room.arrived()
          if (ticket === undefined && !room.isOpen() && room.letIn()) return () => goIn(room)
          const drawn = ticket ?? room.draw()
          ticket = drawn
          const standing: Standing = room.look(drawn)
          return () => {
            askMs.push(now - began)
            if (standing.isIn) return goIn(room)
            if (standing.waitSeconds !== undefined && (said.length === 0 || random() < 0.02))
              said.push({ atMs: now, promised: standing.waitSeconds })
            agenda.add(now + standing.askAgainMs, look)
          }
        },
        () => agenda.add(now + 1_000 + 1_000 * random(), look),
        false,
      )
    }
    look()
  }

  // Half of them in the first minute, as when a page opens at nine.
  for (let person = 0; person < plan.arrivals; person += 1) {
    const isEarly = random() < 0.5
    agenda.add(isEarly ? random() * Math.min(60_000, plan.withinMs / 10) : random() * plan.withinMs, () => arrive(person))
  }
  agenda.add(plan.killAtMs, () => {
    victim.isUp = false
    victim.life += 1
  })
  agenda.add(plan.backAtMs, () => {
    victim.freeAt = now
    victim.durations = []
    victim.lateMs = 0
    victim.busyMs = 0
    victim.room = waitingRoomOf(victim)
    // As the program does: it hears of the others before it takes its first call.
    void victim.room.tick().then(() => {
      victim.isUp = true
    })
  })

  let nextTick = 1_000
  for (let event = agenda.next(); event !== undefined; event = agenda.next()) {
    while (nextTick <= event.at) {
      now = nextTick
      clock.set(new Date(startMs + now))
      for (const instance of instances) if (instance.isUp) await instance.room.tick()
      const gauges = instances[0].room.gauges()
      if (nextTick % 10_000 === 0) rates.push({ atMs: now, rate: gauges.rate, waiting: gauges.waiting })
      nextTick += 1_000
    }
    now = event.at
    clock.set(new Date(startMs + now))
    event.run()
  }
  const order = went.sort((x, y) => x.arrivedMs - y.arrivedMs)
  // From the last to the first: when the first went in of those who had come three seconds later or more.
  let later = order.length
  let firstLaterMs = Number.POSITIVE_INFINITY
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const one = order[at]
    if (one === undefined) continue
    for (let other = order[later - 1]; other !== undefined && other.arrivedMs > one.arrivedMs + 3_000; other = order[later - 1]) {
      firstLaterMs = Math.min(firstLaterMs, other.at)
      later -= 1
    }
    if (one.at - firstLaterMs > overtakenMs) overtaken += 1
  }
  return {
    ...{ arrived: plan.arrivals, left, handedIn, stepMs, askMs, promises, longestWaitMs, asks, overtaken, rates },
    endMs: Math.max(lastIn, now),
    mostAsksPerSecond: Math.max(0, ...asksBySecond.values()),
  }
}

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((x, y) => x - y)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
