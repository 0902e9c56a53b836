import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refuseInstallation } from '#contract/installation/installation.errors.ts'
import { type SetupStep, type SetupView, setupSteps } from '#contract/installation/setup.routes.ts'
import type { Label } from '#contract/kernel/label.ts'
import { platformTenant } from '#contract/kernel/platform.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { channelLabels } from '#contract/pay/channel.ts'
import { outboundProblems } from '#kernel/allowed-servers.ts'
import { audit } from '#kernel/audit.ts'
import { journalFolder } from '#kernel/audit-chain/journal.ts'
import { readMemories } from '#kernel/audit-chain/memory.ts'
import { backupAgeSeconds, readLastBackup } from '#kernel/backup/last-backup.ts'
import { called } from '#kernel/called.ts'
import { askDatabase, createClockWatch, isOff } from '#kernel/clock-watch.ts'
import { systemOf } from '#kernel/db/scope.ts'
import { tryStore } from '#kernel/files/s3.ts'
import { StorageError } from '#kernel/files/store.ts'
import { parseProxies } from '#kernel/http/client.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { createOutbound, OutboundError } from '#kernel/outbound.ts'
import { token } from '#kernel/random.ts'
import { tryConnect } from '#kernel/try-connect.ts'
import { keepTry, listNeverHere, listRolesWithout, listTries, type TryRow } from '../data/setup.repo.ts'
import type { InstallationKit } from '../deps.ts'

type Said = Label & { readonly isOk: boolean }
interface Step {
  readonly label: Label
  readonly help: Label
  readonly trial: Label
  /** Says that the office does without it; a step that every installation needs has none. */
  readonly leaveOut?: Label
  /** Page of the console; what the environment of the server says has none. */
  readonly link: string
  /** What stands there now, and whether it is set up at all. */
  readonly now: (kit: InstallationKit, ctx: Ctx) => Promise<Said>
  readonly attempt: (kit: InstallationKit, ctx: Ctx) => Promise<Said>
}

const said = (isOk: boolean, zh: string, en: string): Said => ({ isOk, zh, en })
const inPlatform = <T>({ services }: InstallationKit, work: Parameters<typeof services.scopes.tx<T>>[2]): Promise<T> =>
  services.scopes.tx(systemOf(platformTenant), services.clock.now(), work)
const whyOf = (error: unknown): Label => {
  if (error instanceof StorageError) return error.why
  if (error instanceof OutboundError) return outboundProblems[error.failure]
  const why = error instanceof Error ? error.message : String(error)
  return { zh: why, en: why }
}

/** Without these nobody can set an examination up, decide about sign-ups, look after money, or watch the others. */
const neededRoles = ['administrator', 'admin', 'secadmin', 'auditor', 'exam_admin', 'reviewer1', 'finance'] as const
/** A backup older than this is none to rely on. */
const oldBackupS = 26 * 3600
/** The journal is written once a minute. */
const journalMs = 5 * 60_000

const serversOf = ({ services: { config } }: InstallationKit): readonly string[] =>
  [config.jobServers, config.storageServers, config.nontaxServers, config.dataSources].flatMap(list =>
    (list ?? '').split(',').filter(Boolean),
  )

const backupNow = async ({ services }: InstallationKit): Promise<Said> => {
  const last = await readLastBackup((text, values) => services.pools.kaopu_platform.query(text, [...(values ?? [])]))
  const age = backupAgeSeconds(last, services.clock.now())
  if (last === undefined || age === undefined) return said(false, '没有完成过备份', 'No backup was ever finished')
  const hours = Math.floor(age / 3600)
  const at = toWireTime(new Date(last.takenAt))
  return said(
    age <= oldBackupS,
    `最近一次完成的备份：${at}（${hours} 小时前），存于 ${last.place}`,
    `Last finished backup: ${at} (${hours} hours ago), in ${last.place}`,
  )
}

const steps: Readonly<Record<SetupStep, Step>> = {
  people: {
    label: { zh: '各角色的人员', en: 'People of each role' },
    help: {
      zh: `在“用户”中新增工作人员；系统管理员、安全管理员、审计员由服务器命令 ${called('admin', 'create --role')} 建立。`,
      en: `Add staff under Users. Administrator, security administrator and auditor are made on the server: ${called('admin', 'create --role')}.`,
    },
    trial: { zh: '查看谁还没有登录过', en: 'See who has never logged in' },
    link: '/system/user',
    now: async kit => {
      const missing = await inPlatform(kit, db => listRolesWithout(db, neededRoles))
      return missing.length === 0
        ? said(true, '每个角色都有人', 'Every role has somebody')
        : said(
            false,
            `还没有人的角色：${missing.map(({ zh }) => zh).join('、')}`,
            `Roles that nobody holds: ${missing.map(({ en }) => en).join(', ')}`,
          )
    },
    attempt: async kit => {
      const never = await inPlatform(kit, listNeverHere)
      return never.length === 0
        ? said(true, '所有工作人员都已登录并换过一次性密码', 'All staff have logged in and chosen a password of their own')
        : said(false, `尚未登录：${never.join('、')}`, `Never logged in: ${never.join(', ')}`)
    },
  },
  sms: {
    label: { zh: '短信', en: 'Text messages' },
    help: {
      zh: '设置并启用短信服务，填写“登录验证码”的模板编号。没有短信，考生收不到验证码，不能注册。',
      en: 'Set a service up and switch it on, and enter the template number of the words of codes. Without text messages candidates get no codes and cannot register.',
    },
    trial: { zh: '给自己的手机发一条验证码', en: 'Send a code to your own phone' },
    link: '/resource/sms',
    now: async kit => {
      const problem = await inPlatform(kit, kit.message.codeProblem)
      if (problem === undefined) return said(true, '验证码可以交给服务商', 'Codes can be handed to the provider')
      return problem === 'service'
        ? said(false, '没有启用的短信服务', 'No service is on')
        : said(false, '“登录验证码”没有模板编号', 'The words of codes have no template number')
    },
    attempt: (kit, ctx) => kit.message.sendTrialCode(ctx.tenantId, sessionOf(ctx).userId),
  },
  payment: {
    label: { zh: '缴费', en: 'Payment' },
    help: {
      zh: '填写商户号和密钥。不收费的单位可标记为不需要。',
      en: 'Enter merchant number and keys. An office that charges nothing leaves this out.',
    },
    trial: { zh: '用密钥向支付服务商查询', en: 'Ask the providers with these keys' },
    leaveOut: { zh: '不收费，不需要', en: 'Nothing is charged: not needed' },
    link: '/pay/payAccount',
    now: async kit => {
      const channels = await kit.pay.listChannels(platformTenant)
      return channels.length === 0
        ? said(false, '没有收款账户', 'There is no account')
        : said(
            true,
            `已设置：${channels.map(one => channelLabels[one].zh).join('、')}`,
            `Set up: ${channels.map(one => channelLabels[one].en).join(', ')}`,
          )
    },
    attempt: async kit => {
      const all = await kit.pay.tryAccounts(platformTenant)
      if (all.length === 0) return said(false, '没有收款账户可试', 'There is no account to try')
      return said(
        all.every(({ isOk }) => isOk),
        all.map(({ zh }) => zh).join('；'),
        all.map(({ en }) => en).join('; '),
      )
    },
  },
  storage: {
    label: { zh: '文件存储', en: 'Storage of files' },
    help: {
      zh: '多台服务器须用对象存储；一台服务器可用本机磁盘，数据目录须在备份中。',
      en: 'Several servers need an object store. One server may use its disk; the data folder belongs into the backup.',
    },
    trial: { zh: '写入、读回并删除一个文件', en: 'Write, read back and remove a file' },
    link: '/resource/oss',
    now: async kit => {
      const place = await kit.storageOf(platformTenant)
      return place === undefined
        ? said(
            true,
            `新文件存入本机磁盘 ${kit.services.config.dataDir}`,
            `New files go to the disk of this server, ${kit.services.config.dataDir}`,
          )
        : said(true, `新文件存入“${place.name}”`, `New files go to “${place.name}”`)
    },
    attempt: async kit => {
      await tryStore(await kit.services.files.at((await kit.storageOf(platformTenant))?.id))
      return said(true, '写入、读回、删除均成功', 'Written, read back and removed')
    },
  },
  servers: {
    label: { zh: '允许连接的服务器', en: 'Servers that may be reached' },
    help: {
      zh: '服务器设置 KAOPU_STORAGE_SERVERS、KAOPU_JOB_SERVERS、KAOPU_NONTAX_SERVERS、KAOPU_DATA_SOURCES：只有列出的才能连接。',
      en: 'The settings KAOPU_STORAGE_SERVERS, KAOPU_JOB_SERVERS, KAOPU_NONTAX_SERVERS and KAOPU_DATA_SOURCES of the server: nothing else is reached.',
    },
    trial: { zh: '逐个连接', en: 'Connect to each' },
    link: '',
    now: async kit => {
      const servers = serversOf(kit)
      return servers.length === 0
        ? said(true, '没有允许任何服务器', 'None is allowed')
        : said(true, `允许：${servers.join('、')}`, `Allowed: ${servers.join(', ')}`)
    },
    attempt: async kit => {
      const all = await Promise.all(serversOf(kit).map(async server => ({ server, isOpen: await tryConnect(server) })))
      const closed = all.filter(({ isOpen }) => !isOpen).map(({ server }) => server)
      return closed.length === 0
        ? said(true, `${all.length} 个服务器均可连接`, `All can be reached: ${all.length}`)
        : said(false, `连接不上：${closed.join('、')}`, `Cannot be reached: ${closed.join(', ')}`)
    },
  },
  proxies: {
    label: { zh: '反向代理', en: 'Proxies' },
    help: {
      zh: '前面有反向代理时，在服务器设置 KAOPU_PROXIES 中列出它的地址，否则所有考生共用一个地址，限次会误伤。',
      en: 'List the addresses of proxies in the setting KAOPU_PROXIES; otherwise all candidates are one address and share its limits.',
    },
    trial: { zh: '看服务器认为这次请求来自哪里', en: 'See where the server takes this call to come from' },
    link: '',
    now: async ({ services: { config } }, ctx) => addressOf(config.proxies, ctx),
    attempt: async ({ services: { config } }, ctx) => {
      const found = addressOf(config.proxies, ctx)
      return found.isOk
        ? said(true, `${found.zh}。请与您电脑的出口地址核对`, `${found.en}. Compare it with the address of your computer`)
        : found
    },
  },
  journal: {
    label: { zh: '审计留底的第二处', en: 'Second place of the audit journal' },
    help: {
      zh: '服务器设置 KAOPU_AUDIT_JOURNAL 指向另一台机器或一次写入的存储，使改动数据库的人改不到它。',
      en: 'Point the setting KAOPU_AUDIT_JOURNAL to another machine or a write-once store, out of reach of who can change the database.',
    },
    trial: { zh: '写入并读回，看最近一条留底', en: 'Write and read back, and look at the newest line' },
    link: '',
    now: async ({ services: { config } }) =>
      config.auditJournal === undefined
        ? said(false, '留底只在数据目录中', 'The journal lies in the data folder alone')
        : said(true, `第二处：${config.auditJournal}`, `Second place: ${config.auditJournal}`),
    attempt: async ({ services: { config, keys, clock } }) => {
      const folder = config.auditJournal ?? journalFolder(config.dataDir)
      const probe = join(folder, `.probe-${token(8)}`)
      await writeFile(probe, probe, { flag: 'wx', mode: 0o600 })
      const isSame = (await readFile(probe, 'utf8')) === probe
      await rm(probe)
      // The last of its own is the one in the second folder, where there is one.
      const until = (await readMemories({ dataDir: config.dataDir, second: config.auditJournal }, keys.auditKey)).own.at(-1)?.until
      if (!isSame) return said(false, `${folder} 读回的内容不同`, `${folder} gives back something else than was written`)
      if (until === undefined) return said(false, `${folder} 还没有留底`, `${folder} has no line yet`)
      const isFresh = clock.now().getTime() - Date.parse(until) <= journalMs
      return said(
        isFresh,
        `可写入；最近一条留底：${toWireTime(new Date(until))}`,
        `It takes writes; newest line: ${toWireTime(new Date(until))}`,
      )
    },
  },
  backup: {
    label: { zh: '备份', en: 'Backup' },
    help: {
      zh: '让服务管理器每天运行备份命令，存到另一台机器，并演练过恢复。',
      en: 'Let the service manager run the backup command every day, to another machine, and restore one once.',
    },
    trial: { zh: '看最近一次完成的备份有多旧', en: 'See how old the last finished backup is' },
    link: '',
    now: backupNow,
    attempt: backupNow,
  },
  address: {
    label: { zh: '公开地址', en: 'Public address' },
    help: {
      zh: '服务器设置 KAOPU_PUBLIC_URL：二维码、支付通知和邮件里的地址，须为 https。',
      en: 'The setting KAOPU_PUBLIC_URL: the address in QR codes and payment notices. It must be https.',
    },
    trial: { zh: '从服务器打开该地址', en: 'Open it from the server' },
    link: '',
    now: async ({ services: { config } }) =>
      config.publicUrl === undefined
        ? said(false, '未设置', 'Not set')
        : said(config.publicUrl.startsWith('https:'), `${config.publicUrl}`, `${config.publicUrl}`),
    attempt: async ({ services: { config }, hold }) => {
      const origin = config.publicUrl ?? ''
      const outbound = createOutbound({ hold, mayReadWhileHeld: true, allowedOrigins: [], localOrigins: () => [origin] })
      const { status, body } = await outbound({ method: 'GET', url: `${origin}/api/live` })
      return status === 200 && body.toString('utf8').includes('"live":true')
        ? said(true, `${origin}/api/live 已应答`, `${origin}/api/live answers`)
        : said(false, `${origin}/api/live 答复 ${status}，不是本系统`, `${origin}/api/live answers ${status}: it is not this program`)
    },
  },
  clock: {
    label: { zh: '时钟', en: 'Clock' },
    help: { zh: '所有服务器用 NTP 校时；报名、缴费都按时间截止。', en: 'All servers keep their time by NTP: windows end by it.' },
    trial: { zh: '与数据库的时钟比较', en: 'Compare with the database’s' },
    link: '',
    now: kit => clockNow(kit),
    attempt: kit => clockNow(kit),
  },
}

const clockNow = async ({ services }: InstallationKit): Promise<Said> => {
  const reading = await createClockWatch(askDatabase(services.pools.kaopu_platform), services.log).look()
  const ms = `${Math.round(reading.aheadMs)} ms`
  return said(!isOff(reading), `与数据库相差 ${ms}（限 1 秒）`, `${ms} off the database’s (1 s is allowed)`)
}
const isOwnMachine = (ip: string): boolean => ip === '' || ip === '::1' || ip.startsWith('127.')

/** Whether the address that the limits go by is the caller's own. */
const addressOf = (proxies: string | undefined, { ip, addressBy }: Ctx): Said => {
  const isProxy = parseProxies(proxies ?? '').trusts(ip)
  if (addressBy === 'proxy' && isProxy)
    return said(
      false,
      `代理 ${ip} 没有说您来自哪里：检查它是否写入转发头（KAOPU_PROXY_HEADER）`,
      `The proxy ${ip} does not say where you come from: see that it writes its headers (KAOPU_PROXY_HEADER)`,
    )
  if (addressBy === 'proxy') return said(true, `代理说您来自 ${ip}`, `The proxy says that you come from ${ip}`)
  if (addressBy === 'stranger')
    return said(false, `经过了未列出的代理 ${ip}：把它加入 KAOPU_PROXIES`, `The proxy ${ip} is not listed: add it to KAOPU_PROXIES`)
  if (isOwnMachine(ip))
    return said(
      false,
      `服务器认为您来自 ${ip}，这是它自己或代理的地址`,
      `The server takes you for ${ip}, which is its own address or a proxy’s`,
    )
  if (proxies !== undefined)
    return said(
      false,
      `服务器认为您来自 ${ip}，没有经过列出的代理：请经过代理打开`,
      `The server takes you for ${ip}, not through a proxy that is listed: open this page through the proxy`,
    )
  return said(true, `您直接连接服务器，来自 ${ip}`, `You reach the server without a proxy, from ${ip}`)
}

/** What was left out and is set up after all has to be tried. */
const stateOf = (isSetUp: boolean, last: TryRow | undefined): SetupView['state'] => {
  if (!isSetUp) return last?.isLeftOut ? 'leftOut' : 'missing'
  if (last === undefined || last.isLeftOut) return 'untried'
  return last.isOk ? 'done' : 'failed'
}

const viewOf = async (kit: InstallationKit, ctx: Ctx, name: SetupStep, last: TryRow | undefined): Promise<SetupView> => {
  const step = steps[name]
  const now = await step.now(kit, ctx).catch((error: unknown) => ({ ...whyOf(error), isOk: false }))
  return {
    step: name,
    state: stateOf(now.isOk, last),
    label: ctx.say(step.label),
    help: ctx.say(step.help),
    now: ctx.say(now),
    trial: ctx.say(step.trial),
    link: step.link,
    leaveOut: step.leaveOut && !now.isOk && last?.isLeftOut !== true ? ctx.say(step.leaveOut) : '',
    said: last ? ctx.say(last) : '',
    triedBy: last?.account ?? '',
    triedTime: last ? toWireTime(last.at) : '',
  }
}

/** What the installation needs, in the order in which it is set up. */
export const listSetup = async (kit: InstallationKit, ctx: Ctx): Promise<{ steps: SetupView[]; isOnHome: boolean }> => {
  const tries = new Map((await inPlatform(kit, listTries)).map(row => [row.step, row]))
  const views = await Promise.all(setupSteps.map(name => viewOf(kit, ctx, name, tries.get(name))))
  return { steps: views, isOnHome: kit.services.config.profile === 'production' }
}

/** Tries one of them and keeps who did so and what came of it. */
export const trySetup = async (kit: InstallationKit, ctx: Ctx, name: SetupStep): Promise<SetupView> => {
  const outcome = await steps[name].attempt(kit, ctx).catch((error: unknown) => ({ ...whyOf(error), isOk: false }))
  await ctx.tx(async db => {
    await keepTry(db, { ...outcome, isLeftOut: false, step: name, userId: sessionOf(ctx).userId })
    await audit(db, ctx, {
      action: 'setup.tried',
      entity: 'setup',
      entityId: null,
      after: { step: name, isOk: outcome.isOk, said: outcome.en.slice(0, 300) },
    })
  })
  const last = (await inPlatform(kit, listTries)).find(row => row.step === name)
  return viewOf(kit, ctx, name, last)
}

/** Notes that the office does without one of them. @throws Refused where every installation needs it, or it is set up */
export const leaveOutOfSetup = async (kit: InstallationKit, ctx: Ctx, name: SetupStep): Promise<SetupView> => {
  const { label, leaveOut, now } = steps[name]
  if (leaveOut === undefined) throw new Refused(refuseInstallation('setup/needed', { what: label }))
  if ((await now(kit, ctx)).isOk) throw new Refused(refuseInstallation('setup/in-use', { what: label }))
  await ctx.tx(async db => {
    await keepTry(db, { ...leaveOut, isOk: true, isLeftOut: true, step: name, userId: sessionOf(ctx).userId })
    await audit(db, ctx, { action: 'setup.leftOut', entity: 'setup', entityId: null, after: { step: name } })
  })
  const last = (await inPlatform(kit, listTries)).find(row => row.step === name)
  return viewOf(kit, ctx, name, last)
}
