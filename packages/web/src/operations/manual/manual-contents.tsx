import { useMediaQuery } from '@mantine/hooks'
import { Link } from 'react-router'
import classes from './manual.module.css'
import type { ManualHeading } from './manual-pages.ts'

/** The table of contents: next to the text where it fits, otherwise folded above it. */
export const ManualContents = ({ headings }: { headings: readonly ManualHeading[] }) => {
  const isBeside = useMediaQuery('(min-width: 80em)', undefined, { getInitialValueInEffect: false })
  const list = (
    <ul>
      {headings.map(({ id, text, depth }) => (
        <li key={id} data-depth={depth}>
          <Link to={`#${id}`}>{text}</Link>
        </li>
      ))}
    </ul>
  )
  return (
    <nav className={classes.contents} aria-label="Nesta página">
      {isBeside ? (
        <>
          <h2>Nesta página</h2>
          {list}
        </>
      ) : (
        <details>
          <summary>Nesta página</summary>
          {list}
        </details>
      )}
    </nav>
  )
}
