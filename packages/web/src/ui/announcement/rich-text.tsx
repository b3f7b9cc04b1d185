import { type Block, type Inline, parseRichText } from '@bi-manager/contract'
import { Fragment, type ReactNode } from 'react'
import classes from './announcement.module.css'

/** Draws the limited rich text of announcements as elements; never as HTML. */
export const RichText = ({ text }: { text: string }) => (
  <div className={classes.text}>
    {parseRichText(text).map((block, index) => keyed(index, blockOf(block)))}
  </div>
)

const blockOf = (block: Block): ReactNode => {
  if (block.kind === 'paragraph') {
    return (
      <p>
        {block.lines.map((line, index) =>
          keyed(
            index,
            <>
              {index > 0 && <br />}
              {line.map(inlineAt)}
            </>,
          ),
        )}
      </p>
    )
  }
  const List = block.isNumbered ? 'ol' : 'ul'
  return <List>{block.items.map((item, index) => keyed(index, <li>{item.map(inlineAt)}</li>))}</List>
}

const inlineAt = (part: Inline, index: number): ReactNode => keyed(index, inlineOf(part))

const inlineOf = (part: Inline): ReactNode => {
  if (part.kind === 'text') return part.text
  const children = part.children.map(inlineAt)
  if (part.kind === 'bold') return <strong>{children}</strong>
  if (part.kind === 'italic') return <em>{children}</em>
  return (
    <a href={part.href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}

/** The parts of a text have no other identity than their place. */
const keyed = (index: number, node: ReactNode): ReactNode => <Fragment key={index}>{node}</Fragment>
