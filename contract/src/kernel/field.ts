import type { SaidFact } from './fact.ts'
import { inSentence, type Label } from './label.ts'
import type { MaskKind } from './mask.ts'
import { maxFen } from './money.ts'

/** How a declared column may be searched: part of the text, equal, or a from–to pair. */
export type SearchKind = 'like' | 'eq' | 'range'
export type FieldKind = 'text' | 'int' | 'decimal' | 'money' | 'dict' | 'ref' | 'bool' | 'date' | 'instant' | 'json'

/** Meaning of a coloured word: the same in every list. */
export type Tone = 'draft' | 'waiting' | 'active' | 'passed' | 'refused' | 'closed'

interface FieldOptions {
  readonly label: Label
  readonly required?: boolean
  /** The text shown when a required field is empty; derived from the label when absent. */
  readonly requiredMessage?: Label
  readonly search?: SearchKind
  /** Shown as a list column; default true. */
  readonly list?: boolean
  /** Part of the add and edit form; default true. */
  readonly form?: boolean
  /** `richtext`: HTML of the tags in `kernel/rich-text.ts`, written in an editor. */
  readonly widget?: 'input' | 'textarea' | 'richtext' | 'number' | 'select' | 'switch' | 'date' | 'datetime'
  /** No two live rows of a tenant share the value. */
  readonly unique?: boolean
  /** Set when the row is made, refused on update when it differs. */
  readonly immutable?: boolean
  readonly width?: number
  readonly help?: Label
  readonly default?: string | number | boolean
  /** What is left of a text where a rule masks it; default: its first character. */
  readonly mask?: MaskKind
  /** Which fact about a person it holds, where its mask does not say so, or that it holds none although its name or mask suggest one. */
  readonly fact?: SaidFact
  /** Fields of the same row whose values may stand in this text: what rules take from them is taken from it too. */
  readonly quotes?: readonly string[]
  /** What bare values are called, by their text on the wire, where no dictionary says it. */
  readonly words?: Readonly<Record<string, Label>>
  /** Values of the column by the numbers on the wire that stand for them, where the two differ. */
  readonly storedAs?: Readonly<Record<string, number>>
  /** How a list colours these words, by the same values; without it they are plain text. */
  readonly tones?: Readonly<Record<string, Tone>>
  /** Required where another field has one of these values: forms mark and ask for it, the module refuses it. */
  readonly requiredWith?: { readonly field: string; readonly values: readonly (string | number)[] }
  /** Part of the form only while another field has one of these values. */
  readonly shownWith?: { readonly field: string; readonly values: readonly (string | number)[] }
  /** Name of the field this date or time must be later than. */
  readonly after?: string
  /** A password: sent encrypted like every password, kept sealed by the module, empty in every answer. Left empty in a change it stays as it is. */
  readonly secret?: boolean
  /** Lines pasted from a sheet: tabs part their cells. */
  readonly isTable?: boolean
  /** A time that something ends at: the first instant of a day is shown and typed as the day before at 24:00. */
  readonly isEnd?: boolean
}

export interface Field<T = unknown, Required extends boolean = boolean> extends FieldOptions {
  readonly kind: FieldKind
  readonly required: Required
  /** Longest text in Unicode code points. */
  readonly max?: number
  readonly min?: number
  /** Most digits of a number that travels as text, before the point (12 when absent) and after it (4). */
  readonly digits?: number
  readonly places?: number
  readonly pattern?: string
  /** Code of the dictionary whose keys are the values. */
  readonly dict?: string
  /** Of a JSON value: the JSON schema of what is taken; anything when absent. */
  readonly shape?: object
  /** Of a JSON value: code of the dictionary whose keys stand in it. */
  readonly keysOf?: string
  /** Name of the resource the id points at. */
  readonly ref?: string
  /** Never set: carries the TypeScript type of a value. */
  readonly type?: T
}

type IsRequired<O> = O extends { readonly required: true } ? true : false
const make = <T, O extends FieldOptions>(kind: FieldKind, options: O, extra: object = {}): Field<T, IsRequired<O>> =>
  ({ required: false, ...options, ...extra, kind }) as unknown as Field<T, IsRequired<O>>

export const text = <const O extends FieldOptions & { pattern?: string; min?: number }>(max: number, options: O) =>
  make<string, O>('text', options, { max })
export const int = <const O extends FieldOptions & { min?: number; max?: number }>(options: O) => make<number, O>('int', options)
/** A decimal that travels as text, so no digit is lost. */
export const decimal = <const O extends FieldOptions & { min?: number; max?: number; digits?: number; places?: number }>(options: O) =>
  make<string, O>('decimal', options)
/** Integer fen (1/100 yuan), zero up to what is taken as one amount. */
export const money = <const O extends FieldOptions>(options: O) => make<number, O>('money', options, { min: 0, max: maxFen })
/** Key of a dictionary entry, as text. */
export const dict = <const O extends FieldOptions>(code: string, options: O) => make<string, O>('dict', options, { dict: code, max: 60 })
/** Key of a dictionary whose keys are numbers. */
export const dictInt = <const O extends FieldOptions>(code: string, options: O) => make<number, O>('int', options, { dict: code })
export const ref = <const O extends FieldOptions>(resource: string, options: O) => make<string, O>('ref', options, { ref: resource })
/** 0 or 1 on the wire (domain 0, type b). */
export const flag = <const O extends FieldOptions>(options: O) => make<number, O>('bool', options)
/** `yyyy-MM-dd`. */
export const date = <const O extends FieldOptions>(options: O) => make<string, O>('date', options)
/** `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai on the wire, timestamptz in the store. */
export const instant = <const O extends FieldOptions>(options: O) => make<string, O>('instant', options)
export const json =
  <T>() =>
  <const O extends FieldOptions & { keysOf?: string; shape?: object }>(options: O) =>
    make<T, O>('json', options)

/** The message of S5.01's kind for any required field. */
export const requiredMessage = (field: Field): Label =>
  field.requiredMessage ??
  (field.dict || field.ref || field.kind === 'date' || field.kind === 'instant'
    ? { zh: `请选择${field.label.zh}`, en: `Please select ${inSentence(field.label.en)}` }
    : { zh: `请输入${field.label.zh}`, en: `Please enter ${inSentence(field.label.en)}` })
