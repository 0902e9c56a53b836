import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { optional } from './schema.ts'

/** A row with rows of its kind below it; both are left out where there are none (framework-contract 1.4). */
export type TreeOf<Row> = Row & { readonly children?: readonly TreeOf<Row>[]; readonly hasChildren?: boolean }

/** The schema of a tree of at most `levels` levels: what leaves the server is declared to its last leaf. */
export const treeOf = <T extends TObject>(row: T, levels: number) => {
  let node: TObject = row
  for (let level = 1; level < levels; level += 1)
    node = Type.Object({
      ...(row.properties as Record<string, TSchema>),
      hasChildren: optional(Type.Boolean()),
      children: optional(Type.Array(node)),
    })
  return Type.Unsafe<TreeOf<Static<T>>>(node)
}

/** What selectors of trees take (framework-contract 3.8): id, key and value are the same. */
export const treeNode = Type.Object({
  id: Type.String(),
  parentId: Type.String(),
  title: Type.String(),
  key: Type.String(),
  value: Type.String(),
})
