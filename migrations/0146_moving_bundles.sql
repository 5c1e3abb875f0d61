-- As 0135_moving.sql does for the others: whose a row is stands outside its key.
alter table smpp_bundles replica identity full;
