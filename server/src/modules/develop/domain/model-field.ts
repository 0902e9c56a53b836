/** A column as it is used on the screen that is made of its table: the facts of the table first, then what somebody chose. */
export interface ModelField {
  readonly id: string
  readonly jdbcName: string
  readonly jdbcType: string
  readonly isKey: boolean
  readonly isUnique: boolean
  readonly isForeign: boolean
  /** Why nothing is made of it; empty where something is. */
  readonly leftOut: string
  readonly jdbcComment: string
  readonly propertyName: string
  readonly isList: boolean
  readonly isForm: boolean
  readonly isRow: boolean
  readonly isRequired: boolean
  readonly isQuery: boolean
  readonly componentType: string
  readonly dictCode: string
  readonly queryType: string
}

/** A file that is generated. */
export interface NounFile {
  /** Below the root of the source tree. */
  readonly path: string
  readonly text: string
}
