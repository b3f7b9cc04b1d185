import { type Author, credentialsText } from '@bi-manager/contract'
import classes from './author-name.module.css'

/** Number and registration are in a frame of their own: no name can imitate it. */
export const AuthorName = (author: Author) => (
  <>
    <bdi>{author.nome}</bdi> · <span className={classes.credentials}>{credentialsText(author)}</span>
  </>
)
