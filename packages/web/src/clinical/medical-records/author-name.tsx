import { type Author, credentialsText } from '@bi-manager/contract'
import { VisuallyHidden } from '@mantine/core'
import classes from './author-name.module.css'

/**
 * Shows an author's name, council number and registration.
 * The name is isolated (`bdi`) from the credentials, so that no name can imitate them.
 */
export const AuthorName = (author: Author) => (
  <>
    <bdi>{author.nome}</bdi> {/* On a screen the frame separates them: a dot would end a narrow line. */}
    <VisuallyHidden component="span">· </VisuallyHidden>
    <span className={classes.credentials}>{credentialsText(author)}</span>
  </>
)
