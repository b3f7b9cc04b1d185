import { type Author, credentialsText } from '@bi-manager/contract'
import classes from './author-name.module.css'

/**
 * Shows an author's name, council number and registration.
 * The name is isolated (`bdi`) from the credentials, so that no name can imitate them.
 */
export const AuthorName = (author: Author) => (
  <>
    <bdi>{author.nome}</bdi> · <span className={classes.credentials}>{credentialsText(author)}</span>
  </>
)
