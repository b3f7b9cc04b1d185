import classes from './person-avatar.module.css'

interface PersonAvatarProps {
  name: string
  /** Decides the colour, which stays when the name changes. */
  id: number
  size?: 'md' | 'lg'
}

const COLOURS = 6

/** Stands for a person without a photo; decoration beside their name. */
export const PersonAvatar = ({ name, id, size = 'md' }: PersonAvatarProps) => (
  <span className={classes.avatar} data-size={size} data-colour={Math.abs(id) % COLOURS} aria-hidden>
    {initialsOf(name)}
  </span>
)

/** First letters of the first and the last name: 'Ana Maria de Souza' is AS. */
export const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends
    .map((word = '') => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase('pt-BR')
}
