-- The table of characters that look alike has changed: the next start computes the skeletons again (names/fill-skeletons.ts).
update usuario set nome_semelhante = null;
