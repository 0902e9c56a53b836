interface Problem {
  readonly element: string
  readonly elementName: string
  readonly text: string
}

/** What is wrong with a drawn process, element by element; `onGo` shows the element. */
export const ProblemList = ({ problems, onGo }: { readonly problems: readonly Problem[]; readonly onGo?: (element: string) => void }) => (
  <ul className="flow-problems">
    {problems.map((problem, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two problems may be alike
      <li key={at}>
        {problem.element === '' ? null : onGo === undefined ? (
          <strong>{problem.elementName}</strong>
        ) : (
          <button type="button" className="link-button" onClick={() => onGo(problem.element)}>
            {problem.elementName}
          </button>
        )}{' '}
        {problem.text}
      </li>
    ))}
  </ul>
)
