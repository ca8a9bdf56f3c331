module signet.dev/tests/tools/regexp

go 1.26
