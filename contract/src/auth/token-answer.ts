import { Type } from 'typebox'
import { nullable } from '../kernel/schema.ts'

export const detail = Type.Object({ type: Type.String(), userType: Type.Integer(), userCode: nullable(Type.String()) })

/** What a login answers: the fields of S3.07, not wrapped in the envelope. */
export const tokenAnswer = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('bearer'),
  /** Of our own pages it is empty: theirs is in a cookie (decision 3.7). */
  refresh_token: Type.String(),
  expires_in: Type.Integer(),
  scope: Type.Literal('all'),
  tenant_id: Type.String(),
  user_id: Type.String(),
  account: Type.String(),
  user_name: Type.String(),
  real_name: Type.String(),
  nick_name: Type.String(),
  role_id: Type.String(),
  role_name: Type.String(),
  dept_id: Type.String(),
  post_id: Type.String(),
  oauth_id: Type.String(),
  client_id: Type.String(),
  avatar: Type.String(),
  license: Type.String(),
  userType: Type.Integer(),
  /** The password is a one-time one: until its owner has changed it, every other call is refused (kernel/password-due). */
  password_due: Type.Boolean(),
  detail,
})
