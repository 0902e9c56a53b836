/** A column whose values the field cipher seals. `server/test/platform/reseal.test.ts` finds one that is missing here. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** SQL of the id that a value is bound to, of a row `r`. */
  readonly rowId: string
  /** For JSON: answers `{ "e": base64 }` within, each bound to `content.<key>` of this table; absent for a column of bytes. */
  readonly answersOf?: 'signup' | 'signup_draft'
}

const byId = (table: string, ...columns: readonly string[]): readonly SealedColumn[] =>
  columns.map(column => ({ table, column, rowId: 'r.id::text' }))
const byTenant = (table: string, ...columns: readonly string[]): readonly SealedColumn[] =>
  columns.map(column => ({ table, column, rowId: 'r.tenant_id' }))
const byUser = (table: string, ...columns: readonly string[]): readonly SealedColumn[] =>
  columns.map(column => ({ table, column, rowId: 'r.user_id::text' }))

export const sealedColumns: readonly SealedColumn[] = [
  ...byId('account', 'phone_sealed', 'id_card_sealed'),
  ...byId('signup', 'phone_sealed', 'id_card_sealed'),
  { table: 'signup', column: 'content', rowId: 'r.id::text', answersOf: 'signup' },
  { table: 'signup_history', column: 'content', rowId: 'r.signup_id::text', answersOf: 'signup' },
  {
    table: 'signup_draft',
    column: 'data',
    rowId:
      '(select s.id::text from signup s where s.tenant_id = r.tenant_id and s.exam_id = r.exam_id and s.user_id = r.user_id order by s.id desc limit 1)',
    answersOf: 'signup_draft',
  },
  ...byId('identity_appeal', 'phone_sealed', 'id_card_sealed'),
  ...byId('sms_message', 'phone_sealed'),
  ...byId('exam_item', 'seed_sealed'),
  ...byId('seat_draw', 'record_sealed'),
  ...byId('accommodation', 'reason_sealed'),
  ...byId('verified_change', 'new_sealed'),
  ...byId('two_person_act', 'content_sealed'),
  ...byId('pay_order', 'payer_sealed'),
  ...byTenant('pay_account', 'private_key_sealed', 'api_key_sealed', 'app_secret_sealed'),
  ...byTenant('pay_alipay', 'private_key_sealed'),
  ...byTenant('pay_nontax', 'private_key_sealed'),
  ...byId('datasource', 'password_sealed'),
  ...byId('job_server', 'password_sealed'),
  ...byId('sms_provider', 'secret_key_sealed'),
  ...byId('oss', 'key_sealed'),
  ...byUser('second_factor', 'secret_sealed', 'pending_sealed'),
  { table: 'session_key', column: 'key_sealed', rowId: 'r.session_id::text' },
]

/** Sealed for a day at most: answers that a repeated call gets again. They open with the former key until they are gone. */
export const shortLived = { table: 'idempotency', hours: 24 } as const
