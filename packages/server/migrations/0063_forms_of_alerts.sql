-- Column of the row of an alert → its kind and format; null: not known until the next evaluation.
alter table alerta add column formas json;
