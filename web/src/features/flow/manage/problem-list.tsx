interface Problem {
  readonly element: string
  readonly elementName: string
  readonly reason: string
  readonly text: string
}

/** What is wrong with a drawn process, element by element; `onGo` shows the element. */
export const ProblemList = ({ problems, onGo }: { readonly problems: readonly Problem[]; readonly onGo?: (element: string) => void }) => (
  <ul className="flow-problems">
    {problems.map((problem, at) => {
      const where = problem.elementName === '' ? problem.element : `${problem.elementName} (${problem.element})`
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: two problems may be alike
        <li key={at}>
          {problem.element === '' ? null : onGo === undefined ? (
            <strong>{where}</strong>
          ) : (
            <button type="button" className="link-button" onClick={() => onGo(problem.element)}>
              {where}
            </button>
          )}{' '}
          {problem.text}
        </li>
      )
    })}
  </ul>
)
