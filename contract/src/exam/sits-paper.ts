/**
 * Whether people of a post sit a paper: the post names its papers, none meaning all. A paper names posts itself only in an examination that was
 * made before posts alone did and in which a post would otherwise have no paper. `sits_paper` of the database says the same.
 */
export const sitsPaper = (
  paper: { readonly itemCode: string; readonly typeCodes: readonly string[] },
  post: { readonly code: string; readonly itemCodes: readonly string[] },
): boolean =>
  (paper.typeCodes.length === 0 || paper.typeCodes.includes(post.code)) &&
  (post.itemCodes.length === 0 || post.itemCodes.includes(paper.itemCode))
