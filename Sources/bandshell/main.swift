print("bandshell")
