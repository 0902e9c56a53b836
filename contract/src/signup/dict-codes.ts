/** The dictionaries that a field of a form chooses from, or the columns of a table. */
export const dictCodesOf = ({
  dictCode,
  columns,
}: {
  readonly dictCode: string | null
  readonly columns: readonly { readonly dictCode?: string | null | undefined }[] | null
}): readonly string[] => [dictCode, ...(columns ?? []).map(column => column.dictCode)].flatMap(code => code || [])
