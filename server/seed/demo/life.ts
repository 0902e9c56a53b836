import { step as stepOf } from '#contract/kernel/machine.ts'
import { ownReasons } from '#contract/kernel/own-reason.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { formatFen } from '#contract/pay/fee.ts'
import { overallResult } from '#contract/signup/conditions.ts'
import type { Advisement } from '#contract/signup/content-diff.ts'
import { signNo } from '#contract/signup/sign-no.ts'
import { holdsPlace, type SignupEvent, type SignupState, signupMachine } from '#contract/signup/signup.state.ts'
import { sm3 } from '#kernel/crypto/sm3.ts'
import { sealContent } from '#modules/signup/content-vault.ts'
import type { SignupFile } from '#modules/signup/data/signup.repo.ts'
import type { Purse } from './money.ts'
import { sealPerson } from './people.ts'
import type { StoredBytes } from './pictures.ts'
import { advices, disqualification, refusals } from './review-texts.ts'
import { type Actor, type Owner, type Staff, type Stage, staff, tellAudit, tellNotice, tellSms } from './stage.ts'

/** What happens in the life of a sign-up. The n-th reviewer of a level is taken round and round. */
export type Step =
  | { readonly do: 'save' | 'submit' | 'resubmit' | 'withdraw' }
  | { readonly do: 'pass' | 'refuse' | 'return'; readonly level: 1 | 2; readonly by: number }
  | { readonly do: 'disqualify' }
  /** A reviewer has it open at this moment. */
  | { readonly do: 'open'; readonly level: 1 | 2; readonly by: number; readonly until: Date }
  | { readonly do: 'abandonOrder' | 'payByCode' | 'payByTransfer' | 'lapse' | 'askRefund' | 'approveRefund' | 'finishRefund' }

export interface Life {
  tell(step: Step, at: Date): void
  /** Adds the sign-up as it stands at the end. @returns whether it holds one of the places of its post */
  close(): boolean
  readonly signupId: string
  readonly signNo: () => string | null
  readonly state: () => SignupState
}

/** A sign-up that is told step by step; every step writes what the command of that name writes. */
export const createLife = (stage: Stage, owner: Owner, n: number, purse: (signupId: string) => Purse, nextNumber: () => number): Life => {
  const { book, nextId, cipher, exam, tenantId } = stage
  const { person, userId } = owner
  const post = stage.posts.get(person.code)
  if (!post) throw new Error(`there is no post ${person.code}`)
  const id = nextId()
  const me: Actor = { kind: 'candidate', id: userId }
  const money = purse(id)
  let content: Record<string, unknown> = { ...person.content }
  let files: SignupFile[] = []
  let examine: SignupState = 'draft'
  let number: string | null = null
  let advisements: readonly Advisement[] = []
  let signVersion = 0
  const row: Record<string, unknown> = { version: 0 }

  const changed = (at: Date, by: string, columns: Readonly<Record<string, unknown>>): void =>
    void Object.assign(row, columns, { updated_at: at, updated_by: by, version: Number(row['version']) + 1 })
  const move = (event: SignupEvent): { from: SignupState; to: SignupState } => {
    const to = stepOf(signupMachine, examine, event)
    if (to === undefined) throw new Error(`a sign-up that is ${examine} knows no ${event}`)
    const from = examine
    examine = to
    return { from, to }
  }
  const addFile = (fileKey: string, bytes: StoredBytes, at: Date): SignupFile => {
    const fileId = nextId()
    book.add('stored_file', {
      id: fileId,
      user_id: userId,
      purpose: bytes.purpose,
      name: bytes.name,
      ext: bytes.ext,
      mime: bytes.mime,
      size_bytes: bytes.sizeBytes,
      sha256: bytes.sha256,
      storage_key: bytes.storageKey,
      checks: bytes.checks,
      owner_kind: 'signup',
      owner_id: id,
      created_at: at,
    })
    return { fileKey, fileId, name: bytes.name, size: bytes.sizeBytes, mime: bytes.mime, sha256: bytes.sha256, uploadTime: toWireTime(at) }
  }
  const sealed = (): Record<string, unknown> => sealContent(cipher, { tenantId, table: 'signup', rowId: id }, stage.sensitive, content)
  const notice = (
    at: Date,
    text: { title: { zh: string; en: string }; content: { zh: string; en: string } },
    link: string,
    eventKey: string,
  ): void => tellNotice(stage, at, { userId, examId: exam.id, keepsUnread: owner.isDemo }, { ...text, kind: 1, link, eventKey })
  const deadline = (at: Date): string => toWireTime(at).slice(0, 16)

  const save = (at: Date): void => {
    if (row['created_at'] !== undefined) return
    const { documents } = stage.pictures
    Object.assign(row, { created_at: at, created_by: userId, updated_at: at, updated_by: userId })
    files = [
      addFile('photo', stage.pictures.portrait(n), at),
      addFile('idFront', stage.pictures.idFront(n), at),
      addFile('idBack', documents.idBack, at),
      addFile('diploma', documents.diploma, at),
      ...(content['workUnit'] === undefined ? [] : [addFile('agreeLetter', documents.agreeLetter, at)]),
    ]
  }
  /** What the person mends after a return: exactly the advised part. */
  const mend = (at: Date): void => {
    for (const { kind, key } of advisements) {
      if (kind === 'file') {
        const bytes = key === 'photo' ? stage.pictures.portrait(n) : stage.pictures.documents.diploma
        files = files.map(file => (file.fileKey === key ? addFile(key, bytes, at) : file))
      } else if (key === 'address') content = { ...content, address: `${String(content['address'])} 2 单元 301 室` }
      else
        content = {
          ...content,
          resume: [
            ...((content['resume'] as readonly object[] | undefined) ?? []),
            { begin: deadline(at).slice(0, 7), unit: '待业', post: '' },
          ],
        }
    }
  }
  const submit = (at: Date): void => {
    save(at)
    const before = examine
    if (before === 'returned') mend(at)
    move('submit')
    const checks = person.checks
    const first = number === null
    number ??= signNo(exam.year, exam.examNo, nextNumber())
    signVersion += 1
    const written = sealed()
    Object.assign(row, { content: written })
    changed(at, userId, {
      examine_level: 1,
      sign_no: number,
      submit_time: at,
      first_submit_time: row['first_submit_time'] ?? at,
      promise_hash: sm3(exam.promise).toString('hex'),
      promise_time: at,
      promise_ip: `198.51.100.${(n % 254) + 1}`,
      auto_check: checks,
      auto_result: overallResult(checks),
      relatives: content['relatives'] ?? [],
      photo_file_id: files.find(file => file.fileKey === 'photo')?.fileId ?? null,
    })
    book.add('signup_history', {
      id: nextId(),
      signup_id: id,
      user_id: userId,
      sign_version: signVersion,
      code: person.code,
      code2: person.code2,
      content: written,
      files,
      auto_check: checks,
      created_by: userId,
      created_at: at,
    })
    tellAudit(stage, at, me, {
      action: first ? 'signup.submitted' : 'signup.resubmitted',
      entity: 'signup',
      entityId: id,
      before: { examine: before, code: first ? null : person.code },
      after: { examine, code: person.code, signNo: number, signVersion, autoResult: overallResult(checks) },
    })
    notice(
      at,
      {
        title: { zh: '报名已提交', en: 'Sign-up submitted' },
        content: {
          zh: `${exam.name}：报名序号 ${number}，请等待审核。`,
          en: `${exam.name}: your number is ${number}. Please wait for the review.`,
        },
      },
      '/signup/myExam',
      `signup.submitted:${id}:${signVersion}`,
    )
  }

  const examineBy = (
    at: Date,
    level: 1 | 2 | 4,
    by: Staff,
    result: 1 | 2 | 3,
    event: SignupEvent,
    remark: string | null,
    advice: readonly Advisement[],
  ): void => {
    const { from, to } = move(event)
    const durationMs = 20_000 + ((n * 7919 + signVersion * 104_729 + level * 15_485_863) % 100_000)
    advisements = advice
    changed(at, by.id, {
      examine_remark: remark,
      examine_time: at,
      examine_level: to === 'second' ? 2 : 1,
      ...(level === 1 ? { reviewer1_id: by.id, reviewer1_time: at } : level === 2 ? { reviewer2_id: by.id, reviewer2_time: at } : {}),
      ...(result === 1 && level === 1 ? { photo_state: 1 } : {}),
    })
    book.add('examine_record', {
      id: nextId(),
      signup_id: id,
      exam_id: exam.id,
      user_id: userId,
      sign_version: signVersion,
      level,
      result,
      remark,
      advisements: advice,
      before_state: from,
      after_state: to,
      examiner_id: by.id,
      examiner_name: by.name,
      duration_ms: durationMs,
      created_at: at,
    })
    if (level !== 4)
      book.add('examine_allot', {
        id: nextId(),
        exam_id: exam.id,
        signup_id: id,
        level,
        reviewer_id: by.id,
        reviewer_name: by.name,
        state: 2,
        opened_at: new Date(at.getTime() - durationMs),
        lock_until: null,
        created_by: by.id,
        created_at: new Date(at.getTime() - durationMs),
      })
    tellAudit(stage, at, staff(by), {
      action: 'signup.examined',
      entity: 'signup',
      entityId: id,
      before: { examine: from },
      after: { examine: to, level, result, signVersion },
      ...(remark === null ? {} : { reason: remark }),
    })
  }
  const of = (people: readonly Staff[], by: number): Staff => {
    const person = people[by % people.length]
    if (!person) throw new Error('nobody has this role')
    return person
  }
  const reviewer = (level: 1 | 2, by: number): Staff => of(level === 1 ? stage.cast.reviewers1 : stage.cast.reviewers2, by)

  const pass = (at: Date, level: 1 | 2, by: Staff): void => {
    const isLast = level === exam.levels
    examineBy(at, level, by, 1, isLast ? 'pass' : 'passOn', null, [])
    if (!isLast) return
    const dueFen = stage.feeOf(post)
    if (dueFen > 0) money.open(at)
    notice(
      at,
      {
        title: { zh: '资格审核通过', en: 'Your sign-up has passed the review' },
        content:
          dueFen > 0
            ? {
                zh: `${exam.name}：请于 ${deadline(exam.payEnd)} 前缴费 ${formatFen(dueFen)} 元。`,
                en: `${exam.name}: please pay ${formatFen(dueFen)} yuan until ${deadline(exam.payEnd)}.`,
              }
            : { zh: `${exam.name}：审核通过，请留意准考证发布。`, en: `${exam.name}: passed; watch for the admission ticket.` },
      },
      dueFen > 0 ? '/signup/examPay' : '/signup/myExam',
      `signup.passed:${id}:${signVersion}`,
    )
  }
  const giveBack = (at: Date, level: 1 | 2, by: Staff): void => {
    const told = advices[n % advices.length]
    if (!told) return
    examineBy(at, level, by, 2, 'return', told.remark, [told.advice])
    const until = deadline(exam.modifyEnd)
    notice(
      at,
      {
        title: { zh: '报名需要修改', en: 'Your sign-up needs corrections' },
        content: {
          zh: `${exam.name}：需修改 1 处，截止 ${until}。${told.remark}`,
          en: `${exam.name}: parts to correct: 1, until ${until}. ${told.remark}`,
        },
      },
      `/signup/form/${exam.id}`,
      `signup.returned:${id}:${signVersion}`,
    )
    tellSms(stage, at, { userId, phone: person.phone }, 'signup-returned', { exam: exam.name, count: '1', deadline: until })
  }
  const refuse = (at: Date, level: 1 | 2, by: Staff): void => {
    const remark = refusals[n % refusals.length] ?? ''
    examineBy(at, level, by, 3, 'refuse', remark, [])
    notice(
      at,
      {
        title: { zh: '资格审核未通过', en: 'Your sign-up was refused' },
        content: { zh: `${exam.name}：${remark}`, en: `${exam.name}: ${remark}` },
      },
      '/signup/myExam',
      `signup.refused:${id}:${signVersion}`,
    )
    tellSms(stage, at, { userId, phone: person.phone }, 'signup-refused', { exam: exam.name, deadline: deadline(exam.signEnd) })
  }
  const withdraw = (at: Date): void => {
    const { from, to } = move('withdraw')
    changed(at, userId, {})
    if (money.payState() === 'due') money.void(at, '报名撤回')
    tellAudit(stage, at, me, {
      action: 'signup.withdrawn',
      entity: 'signup',
      entityId: id,
      before: { examine: from, code: person.code },
      after: { examine: to },
    })
  }
  const open = (at: Date, level: 1 | 2, by: Staff, until: Date): void =>
    book.add('examine_allot', {
      id: nextId(),
      exam_id: exam.id,
      signup_id: id,
      level,
      reviewer_id: by.id,
      reviewer_name: by.name,
      state: 1,
      opened_at: at,
      lock_until: until,
      created_by: by.id,
      created_at: at,
    })

  const tell = (step: Step, at: Date): void => {
    switch (step.do) {
      case 'save':
        save(at)
        break
      case 'submit':
      case 'resubmit':
        submit(at)
        break
      case 'pass':
        pass(at, step.level, reviewer(step.level, step.by))
        break
      case 'return':
        giveBack(at, step.level, reviewer(step.level, step.by))
        break
      case 'refuse':
        refuse(at, step.level, reviewer(step.level, step.by))
        break
      case 'withdraw':
        withdraw(at)
        break
      case 'disqualify':
        if (money.payState() === 'due') money.void(at, ownReasons.disqualified.zh)
        examineBy(at, 4, of(stage.cast.examAdmins, n), 3, 'disqualify', disqualification, [])
        break
      case 'open':
        open(at, step.level, reviewer(step.level, step.by), step.until)
        break
      default:
        money[step.do](at)
    }
  }

  const close = (): boolean => {
    money.close()
    const isSubmitted = signVersion > 0
    book.add('signup', {
      id,
      exam_id: exam.id,
      user_id: userId,
      ...(person.region ?? { province: null, city: null, area: null }),
      code: post.code,
      type: post.type,
      unit: post.unit,
      code2: person.code2,
      type2: person.code2 === null ? null : (stage.posts.get(person.code2)?.type ?? null),
      unit2: person.code2 === null ? null : (stage.posts.get(person.code2)?.unit ?? null),
      files,
      examine,
      adjust: person.adjust,
      sign_version: signVersion,
      pay_state: money.payState(),
      advisements,
      content: sealed(),
      ...(isSubmitted
        ? {
            name: person.name,
            name_rare: person.isRare,
            id_card_type: person.idCardType,
            ...sealPerson(cipher, tenantId, 'signup', id, person),
            sex: person.sex,
            birthday: person.birthday,
            nation: content['nation'],
            education: content['education'],
            degree: content['degree'],
            major: content['major'],
            school: content['school'],
          }
        : {}),
      ...row,
    })
    return holdsPlace[examine]
  }
  return { tell, close, signupId: id, signNo: () => number, state: () => examine }
}
