// Makes a draw of seats again by itself: node verify-seats.mjs <record> <seed> [published digest of the record] [published root of the seats]   all as the page of the examination shows them
// The record is a text of the office (a line `kaopu-seats-2`, a line of rules and rooms, a line for each person); the seed is public once the tickets are released.
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [file = '', seed = '', published, publishedRoot] = process.argv.slice(2)
const text = readFileSync(file)
const sha256 = bytes => createHash('sha256').update(bytes).digest('hex')
const [format, rules = '{}', ...lines] = text.toString('utf8').trimEnd().split('\n')
const { examId, itemGroup, version, mode, seedCommit, keepsSites, rooms } = JSON.parse(rules)
const people = lines.map(line => {
  const [signNo, code, unit, access, related, kept, site, room, seat, salt] = line.split('|')
  return { signNo, code, unit, needsAccess: access === '1', related: related ? related.split(',') : [], kept, place: `${site}-${room}-${seat}`, salt }
})
let isGood = true
const say = (isRight, right, wrong) => {
  if (!isRight) isGood = false
  console.log(isRight ? right : wrong)
}
say(format === 'kaopu-seats-1' || format === 'kaopu-seats-2', 'This is a record of a draw of seats.', 'This is NO record of a draw of seats.')
if (published)
  say(sha256(text) === published.toLowerCase(), 'It is the record that was published with the draw.', 'It is NOT the record that was published with the draw.')
// The tree over the seats (RFC 6962, in the order of the salts): the root to which everybody's own seat leads.
if (publishedRoot) {
  const hash = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest()
  const leafOf = ({ signNo, place, salt }) => ['kaopu-seat-1', `${examId}|${itemGroup}|${version}`, [signNo, ...place.split('-')].join('|'), salt].join('\n')
  const inTree = people.toSorted((a, b) => (a.salt < b.salt ? -1 : 1))
  let row = inTree.map(person => hash(Buffer.of(0), Buffer.from(leafOf(person))))
  while (row.length > 1) {
    const above = []
    for (let i = 0; i < row.length; i += 2) above.push(i + 1 < row.length ? hash(Buffer.of(1), row[i], row[i + 1]) : row[i])
    row = above
  }
  say(row[0]?.toString('hex') === publishedRoot.toLowerCase(), 'Its seats are those that candidates can check.', 'Its seats are NOT those that candidates can check.')
}
const secret = Buffer.from(seed, 'hex')
say(sha256(secret) === seedCommit, 'This is the seed that was promised before the draw.', 'This is NOT the seed that was promised before the draw.')

// Block i of the numbers is HMAC-SHA-256 of "examination|group|version|i" under the seed: eight words of 32 bits, the highest byte first.
const numbers = group => {
  let [block, counter, at] = [Buffer.alloc(0), 0, 0]
  const word = () => {
    if (at + 4 > block.length) [block, at] = [createHmac('sha256', secret).update(`${examId}|${group}|${version}|${counter++}`).digest(), 0]
    at += 4
    return block.readUInt32BE(at - 4)
  }
  // Words of the last incomplete multiple are left out, so that every number is equally likely.
  return n => {
    for (;;) {
      const value = word()
      if (value < 2 ** 32 - (2 ** 32 % n)) return value % n
    }
  }
}
// Fisher and Yates, from the end.
const shuffle = (list, below) => {
  const all = [...list]
  for (let i = all.length - 1; i > 0; i--) {
    const j = below(i + 1)
    ;[all[i], all[j]] = [all[j], all[i]]
  }
  return all
}
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)
const groupBy = (list, key) => {
  const groups = new Map()
  for (const one of list) {
    if (!groups.has(key(one))) groups.set(key(one), [])
    groups.get(key(one)).push(one)
  }
  return groups
}

// The seats of a room by their numbers: columns up and down in turn (S), or row by row (Z); spare ones are the last.
const seatsOf = ({ rows, cols, layout, disabled, spare }) => {
  const seats = []
  const put = (row, col) => disabled.includes(`r${row}c${col}`) || seats.push({ row, col })
  if (layout === 'Z') for (let row = 1; row <= rows; row++) for (let col = 1; col <= cols; col++) put(row, col)
  else for (let col = 1; col <= cols; col++) for (let step = 1; step <= rows; step++) put(col % 2 ? step : rows + 1 - step, col)
  return { seats, capacity: Math.max(0, seats.length - spare) }
}
const apartOf = person => (mode === 'post' ? '' : mode === 'unit' ? person.unit : person.code)
const isConflict = (a, b) => (apartOf(a) !== '' && apartOf(a) === apartOf(b)) || a.related.some(key => b.related.includes(key))

const inOrder = (list, below) => {
  if (mode === 'random') return shuffle(list, below)
  const groups = [...groupBy(list, person => (mode === 'unit' ? person.unit : person.code))]
  const drawn = groups.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, members]) => shuffle(members, below))
  if (mode === 'post') return drawn.flat()
  // The k-th of the n people of a group stands at (k + 1/2) / n of the whole.
  const places = drawn.flatMap((members, group) => members.map((person, k) => ({ person, group, at: (2 * k + 1) / (2 * members.length) })))
  return places.sort((a, b) => a.at - b.at || a.group - b.group).map(({ person }) => person)
}

// Two neighbours who should be apart change places with others where that leaves fewer such pairs: at most 200 tries for a person, three rounds.
const part = used => {
  const beside = used.map(({ seats }) => {
    const at = new Map(seats.map(({ row, col }, i) => [`${row} ${col}`, i]))
    return seats.map(({ row, col }) =>
      [[row, col - 1], [row, col + 1], [row - 1, col], [row + 1, col]].flatMap(([r, c]) => at.get(`${r} ${c}`) ?? []),
    )
  })
  const count = (room, seat, person, except = -1, instead = null) =>
    beside[room][seat].filter(next => isConflict(person, next === except ? instead : used[room].people[next])).length
  const trySwap = (roomA, a, roomB, b) => {
    const [first, second] = [used[roomA].people[a], used[roomB].people[b]]
    const before = count(roomA, a, first) + count(roomB, b, second)
    const isSame = roomA === roomB
    const after = isSame ? count(roomA, a, second, b, first) + count(roomB, b, first, a, second) : count(roomA, a, second) + count(roomB, b, first)
    if (after >= before) return false
    used[roomA].people[a] = second
    used[roomB].people[b] = first
    return true
  }
  const help = (room, seat) => {
    let tries = 0
    for (let other = 0; other < used[room].people.length && tries < 200; other++) {
      if (other === seat) continue
      tries++
      if (trySwap(room, seat, room, other)) return true
    }
    // Nobody leaves or enters a room with people who were placed there first.
    if (used[room].bound.length > 0) return false
    for (let step = 1; step < used.length && tries < 200; step++) {
      const far = (room + step) % used.length
      if (used[far].bound.length > 0) continue
      for (let other = 0; other < used[far].people.length && tries < 200; other++) {
        tries++
        if (trySwap(room, seat, far, other)) return true
      }
    }
    return false
  }
  for (let round = 0; round < 3; round++) {
    let isChanged = false
    used.forEach((one, room) => {
      for (let seat = 0; seat < one.people.length; seat++) while (count(room, seat, one.people[seat]) > 0 && help(room, seat)) isChanged = true
    })
    if (!isChanged) return
  }
}

const fill = (sitters, places, group) => {
  const drawn = inOrder([...sitters].sort((a, b) => compare(a.signNo, b.signNo)), numbers(group))
  // Rooms of a site stay together. People who need an accessible room come first, the lowest floor first.
  const all = [...groupBy(places, room => room.siteCode).values()].flat().map(room => ({ room, ...seatsOf(room), bound: [], others: [] }))
  const waiting = drawn.filter(person => person.needsAccess)
  for (const one of all.filter(({ room }) => room.accessible).sort((a, b) => a.room.floor - b.room.floor))
    while (waiting.length > 0 && one.bound.length < one.capacity) one.bound.push(waiting.shift())
  const rest = [...drawn.filter(person => !person.needsAccess), ...waiting]
  const inTurn = [...all.filter(one => one.bound.length > 0), ...all.filter(one => one.bound.length === 0)]
  let next = 0
  for (const one of inTurn) {
    const take = Math.min(one.capacity - one.bound.length, rest.length - next)
    one.others.push(...rest.slice(next, next + take))
    next += take
  }
  const used = inTurn.filter(one => one.bound.length + one.others.length > 0)
  // A last room of fewer than ten takes people from the room before it.
  const [previous, last] = [used.at(-2), used.at(-1)]
  const size = one => one.bound.length + one.others.length
  if (previous && size(last) < 10) {
    const target = Math.min(last.capacity, Math.floor((size(last) + size(previous)) / 2))
    const give = Math.min(target - size(last), previous.others.length)
    if (give > 0) last.others.unshift(...previous.others.splice(previous.others.length - give, give))
  }
  for (const one of used) {
    one.people = [...one.bound, ...one.others]
    one.seats = one.seats.slice(0, one.people.length)
  }
  part(used)
  for (const { room, people: seated } of used) seated.forEach((person, i) => outcome.set(person.signNo, `${room.siteCode}-${room.roomNo}-${i + 1}`))
}

const outcome = new Map()
const sites = groupBy(rooms, room => room.siteCode)
if (!keepsSites) fill(people, rooms, itemGroup)
else {
  // Whoever sat at a site before stays there, the others go to the first one with seats left; each site is a draw of its own.
  const room = new Map([...sites].map(([site, list]) => [site, { list, left: list.reduce((sum, one) => sum + seatsOf(one).capacity, 0), people: [] }]))
  const put = (site, person) => {
    site.people.push(person)
    site.left -= 1
  }
  const homeless = people.filter(person => !room.has(person.kept) || put(room.get(person.kept), person))
  for (const person of homeless.sort((a, b) => compare(a.signNo, b.signNo))) put([...room.values()].find(site => site.left > 0), person)
  for (const [site, { list, people: seated }] of room) fill(seated, list, `${itemGroup}@${site}`)
}
const different = people.filter(person => outcome.get(person.signNo) !== person.place)
say(different.length === 0, `All ${people.length} people sit where the draw put them.`, `${different.length} of ${people.length} people do NOT sit where the draw put them:`)
for (const person of different.slice(0, 20)) console.log(`${person.signNo}: drawn ${outcome.get(person.signNo)}, in the record ${person.place}`)
process.exitCode = isGood ? 0 : 1
